//! Exact amounts: text in JSON, and measured as the numbers that they are.

use crate::visitor::{Ask, form, request, site};
use housekey_database::Decimal;
use housekey_http::Routes;
use housekey_http::validation::{Valid, Validated};
use http::Method;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Offer {
    #[validate(required, between(0, 100))]
    price: Decimal,
    #[validate(number, max(10))]
    discount: Option<Decimal>,
}

fn routes(route: &mut Routes) {
    route.group().own_csrf_check().routes(|route| {
        route.post("/offers", async |Valid(offer): Valid<Offer>| {
            format!("{} {:?}", offer.price, offer.discount.map(|discount| discount.to_string()))
        });
    });
}

async fn sent(request: Ask) -> (u16, String) {
    let answer = site(routes).visitor().send(request.header("accept", "application/json")).await;
    (answer.status.as_u16(), answer.text())
}

fn as_json(offer: &Value) -> Ask {
    request(Method::POST, "/offers").header("content-type", "application/json").body(offer.to_string())
}

#[tokio::test]
async fn an_amount_outside_of_its_range_is_refused_however_it_is_sent() {
    // The last ones are numbers to whoever reads an amount, and must not get past the rule.
    for wrong in ["-1", "-0.01", "101", "100.01", "1_000", "-1_0"] {
        for (status, said) in [
            sent(form("/offers", &[("price", wrong)])).await,
            sent(as_json(&json!({ "price": wrong }))).await,
        ] {
            assert_eq!(status, 422, "{wrong}: {said}");
            assert!(said.contains("The price must be"), "{wrong}: {said}");
        }
    }
    let (status, said) = sent(as_json(&json!({ "price": 101 }))).await;
    assert_eq!(status, 422, "{said}");
    assert!(said.contains("between 0 and 100.") && !said.contains("characters"), "{said}");
}

#[tokio::test]
async fn an_amount_within_its_range_is_taken_exactly() {
    let taken = (200, "99.90 Some(\"9.99\")".to_owned());
    assert_eq!(sent(form("/offers", &[("price", "99.90"), ("discount", "9.99")])).await, taken);
    assert_eq!(sent(as_json(&json!({ "price": "99.90", "discount": "9.99" }))).await, taken);
    assert_eq!(sent(as_json(&json!({ "price": "0.00" }))).await, (200, "0.00 None".to_owned()));
    let (status, said) = sent(as_json(&json!({ "price": "1", "discount": "ten" }))).await;
    assert_eq!(status, 422, "{said}");
    assert!(said.contains("The discount must be a number."), "{said}");
}

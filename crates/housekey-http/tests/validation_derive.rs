//! `#[derive(Validated)]`: what a struct's types and serde's attributes mean for a form.

use std::collections::HashSet;

use crate::visitor::{form, site};
use housekey_core::Secret;
use housekey_http::Routes;
use housekey_http::axum::Json;
use housekey_http::validation::{Valid, Validated, old};
use serde::{Deserialize, Deserializer};
use serde_json::{Value, json};

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Everything {
    ticked: bool,
    asked: Option<bool>,
    #[validate(min(10))]
    count: u8,
    #[validate(min(10))]
    wrapped: Option<Wrapped>,
    #[validate(integer, min(10))]
    told: Option<Wrapped>,
    list: Vec<String>,
    set: HashSet<u8>,
    listed: Option<Vec<String>>,
    #[serde(deserialize_with = "by_comma")]
    commas: Vec<String>,
}

/// A type of one's own, of which only its `Deserialize` is known.
#[derive(Deserialize)]
struct Wrapped(i64);

fn by_comma<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(String::deserialize(deserializer)?.split(',').map(str::to_owned).collect())
}

type Password = Secret;

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
#[expect(dead_code, reason = "refused before anybody looks at it")]
struct Hidden {
    #[validate(required)]
    name: String,
    by_type: Secret,
    by_alias: Option<Password>,
    #[serde(deserialize_with = "Secret::deserialize")]
    by_hand: Secret,
    #[validate(secret)]
    by_rule: String,
    open: String,
}

fn routes(route: &mut Routes) {
    route.get("/hidden", async || {
        Json(json!([old("by_type"), old("by_alias"), old("by_hand"), old("by_rule"), old("open")]))
    });
    route.group().own_csrf_check().routes(|route| {
        route.post("/everything", async |Valid(form): Valid<Everything>| {
            let (wrapped, told) = (form.wrapped.map(|it| it.0), form.told.map(|it| it.0));
            Json(json!([
                form.ticked,
                form.asked,
                form.count,
                wrapped,
                told,
                form.list,
                form.set,
                form.listed,
                form.commas
            ]))
        });
        route.post("/hidden", async |Valid(_): Valid<Hidden>| "taken");
    });
}

async fn everything(fields: &[(&str, &str)]) -> Value {
    let request = form("/everything", fields).header("accept", "application/json");
    site(routes).visitor().send(request).await.to_json()
}

#[tokio::test]
async fn a_form_is_read_by_the_types_of_its_fields() {
    let bare = everything(&[("count", "10"), ("commas", "a")]).await;
    assert_eq!(bare, json!([false, null, 10, null, null, [], [], null, ["a"]]));
    let fields = [
        ("ticked", "on"),
        ("asked", "no"),
        ("count", "11"),
        ("wrapped", "00012345678"),
        ("told", "12"),
        ("list", "a"),
        ("list", "b"),
        ("set", "1"),
        ("listed", "c"),
        ("commas", "a,b"),
    ];
    let full = everything(&fields).await;
    assert_eq!(full, json!([true, false, 11, 12_345_678, 12, ["a", "b"], [1], ["c"], ["a", "b"]]));
}

#[tokio::test]
async fn a_number_is_measured_as_one_where_its_type_or_a_rule_says_so() {
    let told = everything(&[("count", "9"), ("wrapped", "9"), ("told", "9"), ("commas", "a")]).await;
    assert_eq!(
        told["errors"],
        json!({
            "count": ["The count must be at least 10."],
            "wrapped": ["The wrapped must be at least 10 characters."],
            "told": ["The told must be at least 10."],
        })
    );
}

#[tokio::test]
async fn a_secret_is_never_given_back_whatever_its_type_is_called() {
    let site = site(routes);
    let visitor = site.visitor();
    let secrets = ["by_type", "by_alias", "by_hand", "by_rule"].map(|name| (name, "HUNTER2"));
    let fields = [&secrets[..], &[("open", "HUNTER1")]].concat();
    assert_eq!(visitor.send(form("/hidden", &fields)).await.status, 303);
    assert_eq!(visitor.get("/hidden").await.to_json(), json!(["", "", "", "", "HUNTER1"]));
}

//! Query schemas: the server's half of CLT-6, through the kernel.

use crate::visitor::{Site, block_on, encode, request, site};
use housekey_http::Routes;
use housekey_http::axum::Json;
use housekey_http::validation::{ValidQuery, Validated};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// A list by its type.
#[derive(Deserialize, Serialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Filter {
    #[validate(max(3))]
    ids: Vec<String>,
    #[validate(min(1))]
    page: Option<u32>,
    #[validate(one_of(["name", "date"]))]
    sort: Option<String>,
    exact: bool,
}

/// A list by its rules: of a type of one's own nothing is known.
#[derive(Deserialize, Serialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Loose {
    #[validate(array, required)]
    tags: Value,
    x: Option<String>,
}

fn routes(route: &mut Routes) {
    route.get("/filter", async |ValidQuery(filter): ValidQuery<Filter>| Json(filter));
    route.get("/loose", async |ValidQuery(loose): ValidQuery<Loose>| Json(loose));
}

async fn ask(site: &Site, path: &str) -> (u16, Value) {
    let request = request(http::Method::GET, path).header("accept", "application/json");
    let answer = site.visitor().send(request).await;
    (answer.status.as_u16(), answer.to_json())
}

// spec: CLT-6
#[tokio::test]
async fn a_repeated_key_is_a_list_only_where_the_schema_has_one() {
    let site = site(routes);
    let expected = json!({ "ids": ["1", "2"], "page": 4, "sort": "date", "exact": true });
    assert_eq!(
        ask(&site, "/filter?ids=1&sort=name&page=3&ids=2&page=4&sort=date&exact=true").await,
        (200, expected)
    );
    let one = json!({ "ids": ["1"], "page": null, "sort": null, "exact": false });
    assert_eq!(ask(&site, "/filter?ids=1").await, (200, one));
    let none = json!({ "ids": [], "page": null, "sort": null, "exact": false });
    assert_eq!(ask(&site, "/filter").await, (200, none));
    assert_eq!(
        ask(&site, "/loose?tags=a&tags=b&x=1&x=2").await,
        (200, json!({ "tags": ["a", "b"], "x": "2" }))
    );
}

// spec: CLT-6, ERR-1
#[tokio::test]
async fn brackets_for_a_list_are_refused_by_the_name_of_the_field() {
    let site = site(routes);
    for query in ["ids[]=1&ids[]=2", "ids%5B%5D=1", "ids[0]=1", "ids=1&ids[]=2"] {
        let (status, body) = ask(&site, &format!("/filter?{query}")).await;
        assert_eq!(status, 422, "{query}");
        assert_eq!(body["errors"]["ids"].as_array().unwrap().len(), 1, "{body}");
    }
    let (status, body) = ask(&site, "/loose?tags[]=a").await;
    assert_eq!((status, body["errors"]["tags"].is_array()), (422, true), "{body}");
}

#[tokio::test]
async fn brackets_where_there_is_no_list_are_just_another_name() {
    let site = site(routes);
    assert_eq!(ask(&site, "/filter?page[]=x&other[]=1&[]=2").await.0, 200);
}

#[tokio::test]
async fn a_query_is_checked_like_a_form() {
    let site = site(routes);
    let (status, body) = ask(&site, "/filter?page=0&sort=size&ids=1&ids=2&ids=3&ids=4").await;
    assert_eq!(status, 422);
    assert_eq!(
        body["errors"],
        json!({
            "ids": ["The ids must have at most 3 items."],
            "page": ["The page must be at least 1."],
            "sort": ["The sort must be one of: name, date."],
        })
    );
    assert_eq!(
        ask(&site, "/filter?page=two").await.1["errors"],
        json!({ "page": ["The page must be a whole number."] })
    );
    assert_eq!(ask(&site, "/loose").await.1["errors"], json!({ "tags": ["The tags is required."] }));
}

#[tokio::test]
async fn bad_encoding_is_400_and_a_browser_gets_a_page_and_no_redirect() {
    let site = site(routes);
    assert_eq!(ask(&site, "/filter?sort=%ff").await.0, 400);
    assert_eq!(ask(&site, &format!("/filter?{}", "a&".repeat(1001))).await.0, 400);
    let request =
        request(http::Method::GET, "/filter?page=0").header("referer", "http://shop.test/filter?page=0");
    assert_eq!(site.visitor().send(request).await.status, 422, "going back could go round in circles");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    // Whatever stands in a query, the answer is one of three, and never a panic.
    #[test]
    fn no_query_breaks_it(query in "[!$-;=?-Z\\[\\]_a-z~%]{0,60}") {
        let status = block_on(async {
            let site = site(routes);
            site.visitor().get(&format!("/filter?{query}")).await.status.as_u16()
        });
        prop_assert!(matches!(status, 200 | 400 | 422), "{status} for {query}");
    }

    // spec: CLT-6
    #[test]
    fn lists_come_through_whole_whatever_is_in_them(ids in proptest::collection::vec("[^\\s\\p{C}]{1,10}", 0..4)) {
        let pairs: Vec<_> = ids.iter().map(|id| ("ids", id.as_str())).collect();
        let (status, body) = block_on(async { ask(&site(routes), &format!("/filter?{}", encode(&pairs))).await });
        prop_assert_eq!(status, 200);
        prop_assert_eq!(&body["ids"], &json!(ids));
    }
}

//! Fields that do not fit their types: each of them is told, without a rule beside it.

use crate::visitor::{Ask, form, multipart, request, site};
use housekey_http::Routes;
use housekey_http::axum::Json;
use housekey_http::uploads::Upload;
use housekey_http::validation::{Valid, Validated, errors};
use http::Method;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Deserialize, Serialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Booking {
    #[validate(max(40))]
    name: String,
    seats: u8,
    size: Size,
    day: Day,
    #[serde(default)]
    language: Language,
    note: Option<String>,
}

#[derive(Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Large,
}

#[derive(Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Language {
    #[default]
    English,
    German,
}

/// A type of an app's own, read from text.
#[derive(Clone, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
struct Day(u8);

impl TryFrom<String> for Day {
    type Error = std::num::ParseIntError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse().map(Self)
    }
}

impl From<Day> for String {
    fn from(day: Day) -> Self {
        day.0.to_string()
    }
}

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Picture {
    file: Upload,
    seats: u8,
    size: Size,
}

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
#[serde(deny_unknown_fields)]
struct Strict {
    seats: u8,
    size: Size,
}

fn routes(route: &mut Routes) {
    route.get("/bookings/new", async || {
        Json(errors().iter().map(|(field, _)| field.to_owned()).collect::<Vec<_>>())
    });
    route.group().own_csrf_check().routes(|route| {
        route.post("/bookings", async |Valid(booking): Valid<Booking>| Json(booking));
        route.post("/strict", async |Valid(strict): Valid<Strict>| {
            format!("{} {}", strict.seats, matches!(strict.size, Size::Small))
        });
        route.post("/pictures", async |Valid(picture): Valid<Picture>| {
            format!("{} {} {}", picture.file.name(), picture.seats, matches!(picture.size, Size::Small))
        });
    });
}

async fn said(request: Ask) -> Value {
    let answer = site(routes).visitor().send(request.header("accept", "application/json")).await;
    assert_eq!(answer.status.as_u16(), 422, "{}", answer.text());
    answer.to_json()["errors"].clone()
}

fn as_json(value: &Value) -> Ask {
    request(Method::POST, "/bookings").header("content-type", "application/json").body(value.to_string())
}

#[tokio::test]
async fn each_field_that_does_not_fit_its_type_is_told() {
    let expected = json!({
        "name": ["The name must be at most 40 characters."],
        "seats": ["The seats must be a whole number."],
        "size": ["The size is not valid."],
        "day": ["The day is not valid."],
        "language": ["The language is not valid."],
    });
    let long = "x".repeat(41);
    let wrong = [
        ("name", long.as_str()),
        ("seats", "many"),
        ("size", "huge"),
        ("day", "soon"),
        ("language", "Latin"),
    ];
    assert_eq!(said(form("/bookings", &wrong)).await, expected);
    let wrong = json!({ "name": long, "seats": "2", "size": 3, "day": "soon", "language": "Latin" });
    assert_eq!(said(as_json(&wrong)).await, expected);
}

#[tokio::test]
async fn each_field_that_is_missing_is_told_and_none_that_may_be() {
    let required = |field: &str| format!("The {field} is required.");
    let expected = json!({
        "name": [required("name")], "seats": [required("seats")], "size": [required("size")], "day": [required("day")],
    });
    assert_eq!(said(as_json(&json!({}))).await, expected);
    assert_eq!(said(form("/bookings", &[])).await, expected);
    let expected =
        json!({ "seats": [required("seats")], "size": [required("size")], "day": [required("day")] });
    let empty = [("name", "Ada"), ("seats", ""), ("size", ""), ("day", ""), ("note", "")];
    assert_eq!(said(form("/bookings", &empty)).await, expected);
}

#[tokio::test]
async fn a_form_that_comes_back_has_its_errors_in_the_order_of_its_fields() {
    let visitor = site(routes).visitor();
    let wrong = form("/bookings", &[("name", "Ada"), ("day", "soon"), ("seats", "many"), ("size", "huge")]);
    let answer = visitor.send(wrong.header("referer", "http://shop.test/bookings/new")).await;
    assert_eq!(answer.status.as_u16(), 303, "{}", answer.text());
    assert_eq!(visitor.get("/bookings/new").await.to_json(), json!(["seats", "size", "day"]));
}

#[tokio::test]
async fn a_file_is_not_called_wrong_because_another_field_is() {
    let refused = said(multipart(
        "/pictures",
        &[("file", Some("a.txt"), "hello"), ("seats", None, "many"), ("size", None, "huge")],
    ));
    let expected =
        json!({ "seats": ["The seats must be a whole number."], "size": ["The size is not valid."] });
    assert_eq!(refused.await, expected);
}

#[tokio::test]
async fn thousands_of_fields_that_nobody_asked_for_make_no_long_answer() {
    let many: String = (0..20_000).map(|number| format!("\"a{number}\":1,")).collect();
    let sent = request(Method::POST, "/strict").header("content-type", "application/json");
    let refused = said(sent.body(format!("{{{many}\"seats\":\"many\"}}"))).await;
    assert_eq!(refused.as_object().unwrap().len(), 2, "as many as the struct has fields");
}

#[tokio::test]
async fn what_fits_is_taken() {
    let fits = form("/bookings", &[("name", "Ada"), ("seats", "2"), ("size", "small"), ("day", "7")]);
    let answer = site(routes).visitor().send(fits).await;
    let expected = json!({ "name": "Ada", "seats": 2, "size": "small", "day": "7", "language": "english", "note": null });
    assert_eq!(answer.to_json(), expected);
}

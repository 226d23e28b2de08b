//! Columns of the app's own, and other names.

use std::collections::BTreeMap;

use housekey_engine::Engine;
use housekey_engine::options::{AdditionalField, FieldKind, TableNames};
use housekey_engine::plugins::{OrganizationOptions, organization};
use http::StatusCode;
use serde_json::json;

use crate::organization::{creates, does, email, options, person, with};

fn fields() -> OrganizationOptions {
    let text = AdditionalField::default();
    let organization = [
        ("vat".to_owned(), AdditionalField { required: true, ..text.clone() }),
        ("seats".to_owned(), AdditionalField { kind: FieldKind::Number, ..text.clone() }),
        ("secret".to_owned(), AdditionalField { returned: false, ..text.clone() }),
        (
            "plan".to_owned(),
            AdditionalField { input: Some(false), default_value: Some(json!("free")), ..text.clone() },
        ),
    ];
    let invitation = [("note".to_owned(), text)];
    OrganizationOptions {
        additional_fields: BTreeMap::from([
            ("organization".to_owned(), organization.into_iter().collect()),
            ("invitation".to_owned(), invitation.into_iter().collect()),
        ]),
        ..Default::default()
    }
}

#[tokio::test]
// spec: ORG-1
async fn columns_of_the_app_are_written_checked_and_shown() {
    let test = with(fields());
    let mut ada = person(&test, "ada").await;
    let missing = does(&mut ada, "create", json!({ "name": "x", "slug": "x" })).await;
    assert_eq!(
        missing.refused(400, "VALIDATION_ERROR").json()["message"],
        "[body.vat] Invalid input: expected string, received undefined"
    );
    let body = json!({ "name": "x", "slug": "x", "vat": "1", "seats": 5, "secret": "s", "plan": "gold" });
    let created = does(&mut ada, "create", body).await.assert(StatusCode::OK).json();
    assert_eq!(
        (&created["vat"], &created["seats"], &created["plan"]),
        (&json!("1"), &json!(5), &json!("free"))
    );
    assert!(created.get("secret").is_none());
    assert_eq!(test.rows("organization").await[0].text("secret"), Some("s"));
    let wrong = does(&mut ada, "update", json!({ "data": { "seats": "five" } })).await;
    assert_eq!(
        wrong.refused(400, "VALIDATION_ERROR").json()["message"],
        "[body.data.seats] Invalid input: expected number, received string"
    );
    let changed = does(&mut ada, "update", json!({ "data": { "seats": 6, "plan": "gold" } })).await;
    let changed = changed.assert(StatusCode::OK).json();
    assert_eq!((&changed["seats"], &changed["plan"]), (&json!(6), &json!("free")));
    let body = json!({ "email": email("bob"), "role": "member", "note": "Hello" });
    assert_eq!(does(&mut ada, "invite-member", body).await.assert(StatusCode::OK).json()["note"], "Hello");
}

#[tokio::test]
// spec: ORG-1
async fn tables_and_columns_may_have_other_names() {
    let names = TableNames {
        model_name: Some("companies".into()),
        fields: BTreeMap::from([("slug".to_owned(), "handle".to_owned())]),
    };
    let test = with(OrganizationOptions {
        schema: BTreeMap::from([("organization".to_owned(), names)]),
        ..Default::default()
    });
    let table = test.engine.schema().table("organization").unwrap();
    assert_eq!((table.name.as_str(), table.column("slug").unwrap().name.as_str()), ("companies", "handle"));
    creates(&mut person(&test, "ada").await, "acme").await;
}

#[test]
// spec: ORG-1
fn a_column_that_is_there_already_is_refused() {
    let again = BTreeMap::from([("slug".to_owned(), AdditionalField::default())]);
    let plugin = organization(OrganizationOptions {
        additional_fields: BTreeMap::from([("organization".to_owned(), again)]),
        ..Default::default()
    });
    let error = Engine::builder(options())
        .plugins([plugin])
        .build(housekey_engine::MemoryStorage::new())
        .unwrap_err();
    assert!(error.to_string().contains("organization.slug"), "{error}");
}

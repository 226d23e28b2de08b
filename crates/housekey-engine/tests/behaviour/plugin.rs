//! A plugin as a third party would write one: a column, a table, a compound index, an endpoint, a hook, a rate rule.

use housekey_engine::options::{ModelNames, RateRule, TableNames};
use housekey_engine::schema::{Column, SchemaContribution, Table};
use housekey_engine::storage::{Filter, Find};
use housekey_engine::{Endpoint, Engine, MemoryStorage, Plugin, Record, Reply};
use http::StatusCode;
use serde_json::json;

use crate::support::{TestEngine, options};

fn notes(names: &ModelNames) -> Plugin {
    let table = Table::new("note")
        .column_with(Column::text("title"))
        .column_with(Column::text("draft").nullable().hidden())
        .column_with(Column::reference("userId", "user").indexed());
    let schema = SchemaContribution::new()
        .table(table)
        .column("user", Column::integer("noteCount").nullable().default_value(0_i64).read_only())
        .unique_index("note", ["userId", "title"])
        .names(names);
    Plugin::new("notes")
        .schema(schema)
        .rate_rule("/notes/*", RateRule { window: 10, max: 2 })
        .endpoint(Endpoint::post("/notes/add", |api| {
            Box::pin(async move {
                let mut body = api.request().read_body();
                let title = body.text("title");
                body.finish()?;
                let signed_in = api.require_stored_session().await?;
                let mut changes = api.changes();
                let note = Record::new()
                    .with("title", title)
                    .with("draft", "hidden")
                    .with("userId", &signed_in.user.id);
                let note = changes.create("note", note).await?;
                let count =
                    signed_in.user.fields.get("noteCount").and_then(|value| value.as_integer()).unwrap_or(0)
                        + 1;
                changes
                    .update(
                        "user",
                        Filter::by("id", &signed_in.user.id),
                        Record::new().with("noteCount", count),
                    )
                    .await?;
                match changes.commit().await? {
                    housekey_engine::Commit::Done => Reply::json(&api.row_view("note", &note)?),
                    housekey_engine::Commit::Lost => {
                        Err(housekey_engine::ErrorCode::new("NOTE_EXISTS", "There is such a note")
                            .unprocessable())
                    }
                }
            })
        }))
        .endpoint(Endpoint::get("/notes/list", |api| {
            Box::pin(async move {
                let signed_in = api.require_session().await?;
                let table = api.schema().table("note").unwrap();
                let rows =
                    api.storage().find(table, &Find::new(Filter::by("userId", &signed_in.user.id))).await?;
                Reply::json(&rows.iter().map(|row| row.text("title").unwrap_or_default()).collect::<Vec<_>>())
            })
        }))
}

#[tokio::test]
// spec: CLI-9
async fn a_plugin_of_a_third_party_works_in_every_shape() {
    let test = TestEngine::new(Engine::builder(options()).plugins([notes(&ModelNames::new())]));
    let mut browser = test.ada().await;
    let note = browser.post("/notes/add", json!({ "title": "first" })).await.assert(StatusCode::OK).json();
    assert_eq!(note["title"], "first");
    assert!(note["id"].is_string() && note.get("draft").is_none());
    browser.post("/notes/add", json!({ "title": "first" })).await.refused(422, "NOTE_EXISTS");
    assert_eq!(browser.session().await["user"]["noteCount"], 1, "a lost commit changes nothing");
    assert_eq!(browser.get("/notes/list").await.json(), json!(["first"]));
    test.browser().get("/notes/list").await.refused(401, "UNAUTHORIZED");
    browser.post("/notes/add", json!({})).await.refused(400, "VALIDATION_ERROR");
}

#[tokio::test]
async fn its_rows_go_with_the_user_they_belong_to() {
    let mut options = options();
    options.user.delete_user.enabled = true;
    let test = TestEngine::new(Engine::builder(options).plugins([notes(&ModelNames::new())]));
    let mut browser = test.ada().await;
    browser.post("/notes/add", json!({ "title": "first" })).await.assert(StatusCode::OK);
    browser.post("/delete-user", json!({})).await.assert(StatusCode::OK);
    assert!(test.rows("note").await.is_empty());
}

#[tokio::test]
async fn its_rate_rule_holds_for_its_paths() {
    let mut options = options();
    options.rate_limit.enabled = Some(true);
    let test = TestEngine::new(Engine::builder(options).plugins([notes(&ModelNames::new())]));
    let mut browser = test.browser();
    browser.headers.insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
    for expected in [401, 401, 429] {
        assert_eq!(browser.get("/notes/list").await.status.as_u16(), expected);
    }
}

#[test]
// spec: CLI-11
fn its_table_takes_the_name_it_is_given() {
    let names = ModelNames::from([(
        "note".into(),
        TableNames { model_name: Some("memos".into()), ..Default::default() },
    )]);
    let test = TestEngine::new(Engine::builder(options()).plugins([notes(&names)]));
    assert_eq!(test.engine.schema().table("note").unwrap().name, "memos");
}

#[test]
fn two_plugins_of_one_name_are_refused() {
    let twice = Engine::builder(options()).plugins([Plugin::new("same"), Plugin::new("same")]);
    let error = twice.build(MemoryStorage::new()).unwrap_err();
    assert!(error.to_string().contains("`same`"));
}

//! A key for scripts: hashed, counted, and never a session.

use housekey_engine::schema::{Column, SchemaContribution, Table};
use housekey_engine::storage::{Comparison, Filter};
use housekey_engine::testing::Browser;
use housekey_engine::{
    Api, Commit, Endpoint, Engine, ErrorCode, Plugin, Record, Reply, Result, User, hash_token, random,
};
use http::{HeaderName, HeaderValue};
use serde_json::json;

use crate::outside::support::{ADA, engine};

const INVALID_KEY: ErrorCode = ErrorCode::new("INVALID_KEY", "Invalid key");
const USES: i64 = 5;

fn key() -> Plugin {
    let table = Table::new("scriptKey")
        .column_with(Column::text("start"))
        .column_with(Column::text("hash").unique().hidden())
        .column_with(Column::integer("uses").default_value(0_i64))
        .column_with(Column::reference("userId", "user").indexed());
    Plugin::new("script-key")
        .schema(SchemaContribution::new().table(table))
        .endpoint(Endpoint::post("/script-key/create", |api| Box::pin(create(api))))
        .endpoint(Endpoint::get("/script-key/owner", |api| Box::pin(owner(api))))
        .recovery("scriptKey", "userId", Record::new())
}

async fn create(api: &mut Api) -> Result<Reply> {
    let signed_in = api.require_stored_session().await?;
    let key = format!("hk_{}", random::alphanumeric(40));
    let row = Record::new()
        .with("start", &key[..6])
        .with("hash", hash_token(&key))
        .with("userId", &signed_in.user.id);
    let mut changes = api.changes();
    let row = changes.create("scriptKey", row).await?;
    match changes.commit().await? {
        Commit::Lost => Err(INVALID_KEY.unprocessable()),
        Commit::Done => Reply::json(&json!({ "key": key, "row": api.row_view("scriptKey", &row)? })),
    }
}

/// Whose key it is. The use is counted by the same statement that asks whether one is left.
async fn verify(api: &Api, key: &str) -> Result<User> {
    let (table, invalid) = (api.table("scriptKey")?, || INVALID_KEY.unauthorized());
    let row = Filter::by("hash", hash_token(key));
    let left = row.clone().and("uses", Comparison::Less, USES);
    if api.storage().increment(table, &left, "uses", 1).await?.is_none() {
        return Err(invalid());
    }
    let found = api.storage().find_one(table, &row).await?.ok_or_else(invalid)?;
    let user = api.user(found.text("userId").unwrap_or_default()).await?.ok_or_else(invalid)?;
    // Somebody who is shut out is shut out with a key, too.
    api.admit(&user).await?;
    Ok(user)
}

async fn owner(api: &mut Api) -> Result<Reply> {
    let key = api.request().header("x-script-key").unwrap_or_default().to_owned();
    let user = verify(api, &key).await?;
    Reply::json(&json!({ "email": user.email }))
}

async fn made(engine: &Engine) -> (Browser, String) {
    let mut ada = Browser::new(engine);
    ada.sign_up(ADA).await;
    let made = ada.post("/script-key/create", json!({})).await.json();
    assert!(made["row"].get("hash").is_none(), "{made}");
    (ada, made["key"].as_str().unwrap().to_owned())
}

fn script(engine: &Engine, key: &str) -> Browser {
    let name = HeaderName::from_static("x-script-key");
    Browser::new(engine).with_header(name, HeaderValue::from_str(key).unwrap())
}

#[tokio::test]
async fn a_key_tells_whose_it_is_and_begins_no_session() {
    let (engine, _) = engine(vec![key()]);
    let (_, key) = made(&engine).await;
    let mut script = script(&engine, &key);
    let answer = script.get("/script-key/owner").await;
    assert_eq!(answer.json()["email"], ADA);
    assert!(answer.header("set-cookie").is_none());
    assert_eq!(script.signed_in_as().await, None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn uses_are_counted_exactly_however_many_come_at_once() {
    let (engine, _) = engine(vec![key()]);
    let (_, key) = made(&engine).await;
    let uses = (0..20).map(|_| {
        let mut script = script(&engine, &key);
        tokio::spawn(async move { script.get("/script-key/owner").await.status().is_success() })
    });
    let mut allowed = 0;
    for used in uses.collect::<Vec<_>>() {
        allowed += i64::from(used.await.unwrap());
    }
    assert_eq!(allowed, USES);
}

#[tokio::test]
async fn what_is_no_key_opens_nothing() {
    let (engine, _) = engine(vec![key()]);
    let (_, key) = made(&engine).await;
    for wrong in ["", "hk_", &key[..key.len() - 1], &key.to_lowercase(), &hash_token(&key)] {
        assert_eq!(script(&engine, wrong).get("/script-key/owner").await.status(), 401, "{wrong}");
    }
}

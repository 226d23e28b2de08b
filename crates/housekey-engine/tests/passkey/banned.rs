//! Somebody who is banned is not let in by a passkey either.

use housekey_engine::plugins::{AdminOptions, PasskeyOptions, admin, passkey};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, Record};
use serde_json::Value;

use crate::passkey::{ada_with_device, sign_in};
use crate::support::{TestEngine, options};

#[tokio::test]
// spec: ADM-1
async fn a_passkey_does_not_let_somebody_in_who_is_banned() {
    let plugins = [passkey(PasskeyOptions::default()), admin(AdminOptions::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let (_, device) = ada_with_device(&test).await;
    let table = test.engine.schema().table("user").unwrap();
    test.storage.update(table, &Filter::all(), &Record::new().with("banned", true)).await.unwrap();
    let mut browser = test.browser();
    sign_in(&mut browser, &device).await.refused(403, "BANNED_USER");
    assert_eq!(browser.session().await, Value::Null);
}

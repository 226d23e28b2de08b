//! Somebody who is banned is not let in by a provider either.

use housekey_engine::Record;
use housekey_engine::plugins::{AdminOptions, admin};
use serde_json::Value;

use crate::social::imitation::Person;
use crate::social::social_built;

#[tokio::test]
// spec: ADM-1
async fn a_provider_does_not_let_somebody_in_who_is_banned() {
    let social = social_built(|_| {}, |_| {}, |builder| builder.plugins([admin(AdminOptions::default())]));
    let ada = social.signed_in(&Person::ada()).await;
    social.change_user("ada@example.com", &Record::new().with("banned", true)).await;
    let sessions = social.test.rows("session").await.len();
    let mut browser = social.browser();
    let answer = social.sign_in(&mut browser, &Person::ada()).await.assert_failed("BANNED_USER");
    let told = answer.error_description().unwrap();
    assert!(told.starts_with("You have been banned from this application."), "{told}");
    assert_eq!(browser.session().await, Value::Null);
    assert_eq!(social.test.rows("session").await.len(), sessions);
    assert_eq!(ada.clone().session().await, Value::Null, "the one from before is over too");
}

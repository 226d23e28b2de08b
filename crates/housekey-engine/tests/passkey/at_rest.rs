//! Challenges whose rows do not tell which browser they belong to.

use housekey_engine::options::StoredIdentifier;
use housekey_engine::plugins::passkey::PasskeyOptions;
use http::StatusCode;

use crate::passkey::{SIGN, ada_with_device, challenge, send_assertion, with};
use crate::support::TestEngine;

#[tokio::test]
async fn with_hashed_identifiers_passkeys_work_and_no_row_holds_what_the_browser_was_given() {
    let mut builder = with(PasskeyOptions::default());
    builder.options.verification.store_identifier = StoredIdentifier::Hashed;
    let test = TestEngine::new(builder);
    let (_, device) = ada_with_device(&test).await;

    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    let cookie = browser.cookies.iter().find(|(name, _)| name.contains("passkey")).unwrap().1;
    let (token, _signature) = cookie.split_once('.').unwrap();
    assert_eq!(token.len(), 32, "{cookie}");
    let rows = format!("{:?}", test.rows("verification").await);
    assert!(rows.contains(&asked) && !rows.contains(token), "{rows}");
    let replayed = browser.clone();
    send_assertion(&mut browser, device.sign(&asked)).await.assert(StatusCode::OK);
    let again = send_assertion(&mut { replayed }, device.sign(&asked)).await;
    assert_ne!(again.status, StatusCode::OK, "it is spent all the same");
}

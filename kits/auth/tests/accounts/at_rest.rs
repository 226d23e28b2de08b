//! Whoever reads the database, a copy of it or a query that went wrong, finds nothing there that opens an account.

use housekey::auth::Auth;
use housekey::auth::engine::storage::{Filter, Find};
use housekey::serde_json::{Value, from_value, json};
use housekey::testing::TestApp;

use crate::support::{
    CHALLENGE, PASSWORD, code_of, confirm_password, mails, sign_in, signed_in_as, somebody, somebody_careful,
    token_for,
};

/// The cookie of a browser that is not asked for a code again.
const TRUSTED: &str = "better-auth.trust_device";

/// Every row of every table that accounts have, as one text.
async fn everything_stored(app: &TestApp) -> String {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let mut all = String::new();
    for table in api.schema().tables() {
        let rows = api.storage().find(table, &Find::new(Filter::all())).await.unwrap();
        all.extend(rows.iter().map(|row| format!("{row:?}\n")));
    }
    all
}

/// The part of a cookie that would be looked for in the database.
fn value_of(visitor: &TestApp, cookie: &str) -> String {
    let cookie = visitor.cookie(cookie).unwrap().replace("%21", "!");
    let (value, _signature) = cookie.split_once('.').unwrap();
    value.rsplit('!').next().unwrap_or_default().to_owned()
}

// spec: SEC-8
#[housekey::test]
async fn no_token_of_a_mail_is_in_any_table(app: TestApp) {
    let mails = mails(&app);
    let mut tokens = Vec::new();

    let eve = json!({ "name": "Eve", "email": "eve@example.com", "password": PASSWORD });
    app.visitor().post("/sign-up").json(&eve).await.assert_ok();
    tokens.push(token_for(&mails, "eve@example.com"));

    let ada = somebody(&app).await;
    app.post("/forgot-password").json(&json!({ "email": ada.email })).await.assert_ok();
    tokens.push(token_for(&mails, &ada.email));

    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/profile/email").json(&json!({ "email": "new@example.com" })).await.assert_ok();
    let consent = token_for(&mails, &ada.email);
    let stored = everything_stored(&app).await;
    assert!(stored.contains(&ada.email), "the tables were read");
    for token in tokens.iter().chain([&consent]) {
        assert!(!stored.contains(token.as_str()), "{token}");
    }

    visitor.post("/change-email/confirm").json(&json!({ "token": consent })).await.assert_ok();
    let proof = token_for(&mails, "new@example.com");
    assert!(!everything_stored(&app).await.contains(&proof));
    visitor.post("/verify-email/confirm").json(&json!({ "token": proof })).await.assert_ok();
    assert_eq!(signed_in_as(&visitor).await.as_deref(), Some("new@example.com"));
}

#[housekey::test]
async fn no_challenge_no_trusted_device_and_no_recovery_code_is_in_any_table(app: TestApp) {
    let (ada, codes) = somebody_careful(&app).await;
    app.advance(std::time::Duration::from_secs(30));
    let visitor = app.visitor();
    sign_in(&visitor, &ada.email, PASSWORD).await.assert_ok();
    let challenge = value_of(&visitor, CHALLENGE);
    assert!(challenge.starts_with("2fa-"), "{challenge}");
    assert!(!everything_stored(&app).await.contains(&challenge));

    let answer = json!({ "code": code_of(&app, &ada).await, "trust_device": true });
    visitor.post("/two-factor-challenge").json(&answer).await.assert_ok();
    let device = value_of(&visitor, TRUSTED);
    assert!(device.starts_with("trust-device-"), "{device}");
    let stored = everything_stored(&app).await;
    assert!(!stored.contains(&device));
    for code in &codes {
        assert!(!stored.contains(code.as_str()) && !stored.contains(&code.replace('-', "")));
    }

    // It is trusted all the same.
    visitor.post("/sign-out").json(&json!({})).await.assert_ok();
    sign_in(&visitor, &ada.email, PASSWORD).await.assert_ok();
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
}

// spec: RTE-7
#[housekey::test]
async fn recovery_codes_are_shown_when_they_are_made_and_cannot_be_read_again(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/two-factor").json(&json!({})).await.assert_ok();
    let on = json!({ "code": code_of(&app, &ada).await });
    let on = visitor.post("/settings/two-factor/confirm").json(&on).await;
    let shown: Vec<String> = from_value(on.json::<Value>()["recovery_codes"].clone()).unwrap();
    assert_eq!(shown.len(), 10);
    let next = app.visitor();
    sign_in(&next, &ada.email, PASSWORD).await.assert_ok();
    next.post("/two-factor-challenge/recovery").json(&json!({ "code": shown[9] })).await.assert_ok();

    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let account = api.user(&ada.id).await.unwrap().unwrap();
    let refused = housekey::auth::engine::plugins::two_factor::backup_codes(&api, &account).await;
    assert_eq!(refused.unwrap_err().code(), Some("BACKUP_CODES_ARE_HASHED"));
}

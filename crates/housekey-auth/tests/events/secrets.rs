use housekey_auth::Auth;
use housekey_auth::engine::plugins::two_factor::totp_code;
use housekey_mail::Mailer;
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::events::{ADA, kept};
use crate::log::Log;
use crate::support::{PASSWORD, engine_post, sign_in, sign_up, test_app};

const NEW: &str = "another good password";
const WRONG: &str = "not at all the password";

fn link_token(app: &TestApp, to: &str) -> String {
    let link = app.services().require::<Mailer>().unwrap().fake().link_to(to);
    let (_, rest) = link.split_once("token=").or_else(|| link.split_once("/reset-password/")).unwrap();
    rest.split(['&', '?']).next().unwrap().to_owned()
}

async fn code(app: &TestApp) -> String {
    let api = app.services().require::<Auth>().unwrap().engine().api();
    let user = api.user_by_email(ADA).await.unwrap().unwrap();
    totp_code(&api, &user).await.unwrap()
}

/// One life of an account, from which nothing that opens it may be found where its events are.
// spec: SEC-9
#[tokio::test]
async fn a_line_has_fields_and_neither_lines_nor_rows_have_what_opens_an_account() {
    let log = Log::of_process();
    let app = test_app(kept, |_| ()).await;
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let user: Value = sign_up(&app, ADA).await.json();
    let mut secrets = vec![PASSWORD.to_owned(), NEW.to_owned(), WRONG.to_owned()];
    let id = user["user"]["id"].as_str().unwrap().to_owned();
    secrets.push(user["token"].as_str().unwrap().to_owned());

    let stranger = app.visitor();
    sign_in(&stranger, ADA, WRONG).await.assert_status(401);
    sign_in(&stranger, "nobody@example.com", WRONG).await.assert_status(401);
    engine_post(&app, "send-verification-email", &json!({ "email": ADA })).await.assert_ok();
    let token = link_token(&app, ADA);
    app.get(&format!("/api/auth/verify-email?token={token}")).await.assert_ok();
    secrets.push(token);

    let enabled: Value =
        engine_post(&app, "two-factor/enable", &json!({ "password": PASSWORD })).await.json();
    secrets.extend(
        enabled["backupCodes"].as_array().unwrap().iter().map(|code| code.as_str().unwrap().to_owned()),
    );
    let first = code(&app).await;
    engine_post(&app, "two-factor/verify-totp", &json!({ "code": first })).await.assert_ok();
    sign_in(&stranger, ADA, PASSWORD).await.assert_ok();
    let spent = json!({ "code": enabled["backupCodes"][0], "trustDevice": true });
    let session: Value = engine_post(&stranger, "two-factor/verify-backup-code", &spent).await.json();
    secrets.push(session["token"].as_str().unwrap().to_owned());

    engine_post(&app, "request-password-reset", &json!({ "email": ADA })).await.assert_ok();
    let token = link_token(&app, ADA);
    let body = json!({ "token": token, "newPassword": NEW });
    engine_post(&app, "reset-password", &body).await.assert_ok();
    secrets.push(token);
    assert!(mails.all().len() > 1);

    let lines = log.security(&id);
    let names: Vec<&str> = lines.iter().map(|line| line["event"].as_str().unwrap()).collect();
    let expected = [
        "sign-up",
        "sign-in-refused",
        "email-verified",
        "two-factor-enabled",
        "second-factor-asked",
        "second-factor-passed",
        "sign-in",
        "device-trusted",
        "password-reset-asked",
        "password-reset",
        "sessions-revoked",
    ];
    assert_eq!(names, expected);
    assert!(
        lines.iter().all(|line| line["request_id"].is_string() && line["address"].is_string()),
        "{lines:?}"
    );
    assert_eq!(lines[1]["detail"], r#"{"reason":"wrong-password"}"#);
    assert!(lines[6]["session"].is_string());

    let rows = crate::events::events(&app).await;
    assert_eq!(rows.len(), expected.len() + 1, "and the one about nobody");
    let kept = serde_json::to_string(&rows).unwrap();
    let logged = log.text();
    let logged: Vec<&str> = logged.lines().filter(|line| line.contains("housekey::security")).collect();
    for secret in &secrets {
        assert!(!kept.contains(secret.as_str()), "{secret} in {kept}");
        assert!(logged.iter().all(|line| !line.contains(secret.as_str())), "{secret} in the log");
    }
    for words in ["nobody@example.com", ADA, "http:", "otpauth"] {
        assert!(!kept.contains(words) && logged.iter().all(|line| !line.contains(words)), "{words}");
    }
    // Codes are short: they are looked for where one could stand.
    assert!(
        rows.iter().all(|row| row.detail.as_ref().is_none_or(|detail| !detail.to_string().contains(&first)))
    );
}

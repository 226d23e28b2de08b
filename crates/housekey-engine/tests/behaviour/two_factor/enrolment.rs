use housekey_engine::options::{ModelNames, TableNames};
use housekey_engine::plugins::two_factor::{TwoFactorOptions, TwoFactorStatus, status};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Record, Value as Field};
use http::StatusCode;
use serde_json::{Value, json};

use super::{challenged, code, enable, enrolled, test_engine, with};
use crate::support::{PASSWORD, TestEngine};

#[tokio::test]
// spec: STA-1, ENG-4, TBL-2, ERR-2
async fn enabling_shows_a_secret_and_ten_codes_and_changes_nothing_else() {
    let test = test_engine();
    let mut browser = test.ada().await;
    browser
        .post("/two-factor/enable", json!({ "password": "wrong password" }))
        .await
        .refused(400, "INVALID_PASSWORD");
    let answer =
        browser.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    assert!(answer.cookies.is_empty());
    let json = answer.json();
    assert_eq!(json["method"], "totp");
    let uri = json["totpURI"].as_str().unwrap();
    assert!(uri.starts_with("otpauth://totp/My%20App:ada%40example.com?secret="), "{uri}");
    let codes = json["backupCodes"].as_array().unwrap();
    assert_eq!(codes.len(), 10);
    assert!(
        codes
            .iter()
            .all(|code| code.as_str().unwrap().len() == 11 && code.as_str().unwrap().as_bytes()[5] == b'-')
    );
    assert_eq!(browser.session().await["user"]["twoFactorEnabled"], false);

    let row = &test.rows("twoFactor").await[0];
    assert_eq!(row.text("secret").unwrap().len(), 144);
    assert!(!row.text("backupCodes").unwrap().contains(codes[0].as_str().unwrap()));
    assert_eq!(row.get("verified"), Some(&Field::Bool(false)));
    let answer = test.browser().sign_in("ada@example.com", PASSWORD).await;
    assert!(answer.json()["token"].is_string(), "sign-in is as before");

    let again = enable(&mut browser).await;
    assert_ne!(again["totpURI"], json["totpURI"]);
    assert_eq!(test.rows("twoFactor").await.len(), 1);
}

#[tokio::test]
// spec: STA-2
async fn the_first_right_code_turns_it_on_and_wrong_ones_leave_it_pending() {
    let test = test_engine();
    let mut browser = test.ada().await;
    browser
        .post("/two-factor/verify-totp", json!({ "code": "000000" }))
        .await
        .refused(400, "TOTP_NOT_ENABLED");
    enable(&mut browser).await;
    for _ in 0..12 {
        browser
            .post("/two-factor/verify-totp", json!({ "code": "wrong" }))
            .await
            .refused(401, "INVALID_CODE");
    }
    browser.post("/two-factor/verify-totp", json!({})).await.refused(400, "VALIDATION_ERROR");
    let mut old = browser.clone();
    let right = code(&test).await;
    let answer =
        browser.post("/two-factor/verify-totp", json!({ "code": right })).await.assert(StatusCode::OK);
    let json = answer.json();
    assert_eq!(json["user"]["twoFactorEnabled"], true);
    let session = browser.session().await;
    assert_eq!(session["session"]["token"], json["token"], "the answer carries the live token");
    assert_eq!(old.session().await, Value::Null, "the session before is gone");
    browser
        .post("/two-factor/enable", json!({ "password": PASSWORD }))
        .await
        .refused(400, "TOTP_ALREADY_ENABLED");
}

#[tokio::test]
async fn codes_are_shown_and_made_anew_for_the_password_only() {
    let test = test_engine();
    let (mut browser, codes) = enrolled(&test).await;
    browser
        .post("/two-factor/get-totp-uri", json!({ "password": "wrong password" }))
        .await
        .refused(400, "INVALID_PASSWORD");
    let uri = browser
        .post("/two-factor/get-totp-uri", json!({ "password": PASSWORD }))
        .await
        .assert(StatusCode::OK)
        .json();
    assert!(uri["totpURI"].as_str().unwrap().starts_with("otpauth://totp/"));
    let answer = browser
        .post("/two-factor/generate-backup-codes", json!({ "password": PASSWORD }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(answer.json()["backupCodes"].as_array().unwrap().len(), 10);
    let mut other = challenged(&test).await;
    other
        .post("/two-factor/verify-backup-code", json!({ "code": codes[0] }))
        .await
        .refused(401, "INVALID_BACKUP_CODE");
    let mut plain = test.browser();
    plain.sign_up("bob@example.com").await.assert(StatusCode::OK);
    plain
        .post("/two-factor/generate-backup-codes", json!({ "password": PASSWORD }))
        .await
        .refused(400, "TWO_FACTOR_NOT_ENABLED");
    plain
        .post("/two-factor/get-totp-uri", json!({ "password": PASSWORD }))
        .await
        .refused(400, "TOTP_NOT_ENABLED");
}

#[tokio::test]
async fn turning_it_off_takes_the_password_and_leaves_nothing() {
    let test = test_engine();
    let (mut browser, _) = enrolled(&test).await;
    browser
        .post("/two-factor/disable", json!({ "password": "wrong password" }))
        .await
        .refused(400, "INVALID_PASSWORD");
    let before = browser.session().await["session"]["token"].clone();
    browser.post("/two-factor/disable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let session = browser.session().await;
    assert_eq!(session["user"]["twoFactorEnabled"], false);
    assert_ne!(session["session"]["token"], before);
    assert!(test.rows("twoFactor").await.is_empty());
    let answer = test.browser().sign_in("ada@example.com", PASSWORD).await;
    assert!(answer.json()["token"].is_string());
}

#[test]
// spec: TBL-1, TBL-2, CLI-11
fn the_tables_are_those_of_the_reference_and_can_be_renamed() {
    let names = ModelNames::from([(
        "twoFactor".into(),
        TableNames { model_name: Some("second_factors".into()), ..Default::default() },
    )]);
    let test = TestEngine::new(with(TwoFactorOptions { schema: names, ..TwoFactorOptions::default() }));
    let schema = test.engine.schema();
    assert!(schema.table("user").unwrap().column("twoFactorEnabled").unwrap().nullable);
    let table = schema.table("twoFactor").unwrap();
    let fields: Vec<_> = table.columns.iter().map(|column| &*column.field).collect();
    assert_eq!(
        fields,
        ["id", "secret", "backupCodes", "userId", "verified", "failedVerificationCount", "lockedUntil"]
    );
    let indexes: Vec<_> = table.indexes.iter().map(|index| index.name.as_str()).collect();
    assert_eq!(indexes, ["second_factors_secret_idx", "second_factors_userId_idx"]);
}

#[tokio::test]
async fn beginning_twice_at_the_same_time_leaves_one_row() {
    let test = test_engine();
    let (mut a, mut b) = (test.ada().await, test.browser());
    b.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    let password = json!({ "password": PASSWORD });
    let (first, second) =
        tokio::join!(a.post("/two-factor/enable", password.clone()), b.post("/two-factor/enable", password));
    first.assert(StatusCode::OK);
    second.assert(StatusCode::OK);
    assert_eq!(test.rows("twoFactor").await.len(), 1);
    let right = json!({ "code": code(&test).await });
    a.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_factor_that_is_turned_off_and_on_again_at_once_takes_its_first_code() {
    let test = test_engine();
    let mut browser = test.ada().await;
    for _ in 0..2 {
        enable(&mut browser).await;
        let right = json!({ "code": code(&test).await });
        browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
        browser.post("/two-factor/disable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
async fn an_enrolment_that_nobody_finished_ends_after_a_quarter_of_an_hour() {
    let test = test_engine();
    let mut browser = test.ada().await;
    enable(&mut browser).await;
    test.advance(899);
    let password = json!({ "password": PASSWORD });
    browser.post("/two-factor/get-totp-uri", password.clone()).await.assert(StatusCode::OK);
    test.advance(1);
    browser.post("/two-factor/get-totp-uri", password).await.refused(400, "TOTP_NOT_ENABLED");
    let right = json!({ "code": code(&test).await });
    browser.post("/two-factor/verify-totp", right).await.refused(400, "TOTP_NOT_ENABLED");
    assert_eq!(browser.session().await["user"]["twoFactorEnabled"], false);
    let api = test.engine.api();
    let ada = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    assert_eq!(status(&api, &ada).await.unwrap(), TwoFactorStatus::Off);

    enable(&mut browser).await;
    assert_eq!(status(&api, &ada).await.unwrap(), TwoFactorStatus::Pending);
    let right = json!({ "code": code(&test).await });
    browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
    test.advance(2000);
    let uri = browser.post("/two-factor/get-totp-uri", json!({ "password": PASSWORD })).await;
    uri.assert(StatusCode::OK);
}

#[tokio::test]
async fn an_enrolment_that_the_reference_began_can_be_finished_and_one_in_its_place_ends() {
    let test = test_engine();
    let mut browser = test.ada().await;
    enable(&mut browser).await;
    let table = test.engine.schema().table("twoFactor").unwrap();
    let theirs = Record::new().with("id", "an-id-of-the-reference");
    test.storage.update(table, &Filter::all(), &theirs).await.unwrap();
    test.advance(900);
    let mut other = browser.clone();
    enable(&mut other).await;
    test.advance(900);
    let right = json!({ "code": code(&test).await });
    browser.post("/two-factor/verify-totp", right).await.refused(400, "TOTP_NOT_ENABLED");
    test.storage.update(table, &Filter::all(), &theirs).await.unwrap();
    let right = json!({ "code": code(&test).await });
    browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
}

//! Backup codes of which only hashes are stored.

use housekey_engine::User;
use housekey_engine::plugins::two_factor::{
    BackupCodeOptions, StoredBackupCodes, TwoFactorOptions, TwoFactorStatus, VerifyCode, backup_codes,
    status, verify_totp,
};
use http::StatusCode;
use serde_json::json;

use super::{challenged, code, enable, enrolled, with};
use crate::elsewhere;
use crate::support::{Browser, PASSWORD, TestEngine};

fn storing(store_backup_codes: StoredBackupCodes) -> TwoFactorOptions {
    let backup_codes = BackupCodeOptions { store_backup_codes, ..Default::default() };
    TwoFactorOptions { backup_codes, ..Default::default() }
}

fn test_engine() -> TestEngine {
    TestEngine::new(with(storing(StoredBackupCodes::Hashed)))
}

/// The same rows, with other options.
fn under(test: &TestEngine, kind: StoredBackupCodes) -> TestEngine {
    test.under(with(storing(kind)))
}

async fn stored(test: &TestEngine) -> String {
    test.rows("twoFactor").await[0].text("backupCodes").unwrap().to_owned()
}

async fn ada(test: &TestEngine) -> User {
    test.engine.api().user_by_email("ada@example.com").await.unwrap().unwrap()
}

async fn left(test: &TestEngine) -> TwoFactorStatus {
    status(&test.engine.api(), &ada(test).await).await.unwrap()
}

async fn give(browser: &mut Browser, code: &str) -> crate::support::Answer {
    browser.post("/two-factor/verify-backup-code", json!({ "code": code })).await
}

#[tokio::test]
async fn a_code_is_in_no_row_and_opens_the_door_once_in_any_spelling() {
    let test = test_engine();
    let (_, codes) = enrolled(&test).await;
    let hashes = stored(&test).await;
    assert!(hashes.starts_with("$argon2id$"), "{hashes}");
    assert_eq!(hashes.matches(',').count(), 2 + 9, "two in the parameters, nine between ten hashes");

    give(&mut challenged(&test).await, "aaaaa-aaaaa").await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&test).await, "").await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&test).await, &hashes).await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&test).await, &codes[3]).await.assert(StatusCode::OK);
    give(&mut challenged(&test).await, &codes[3]).await.refused(401, "INVALID_BACKUP_CODE");
    let by_hand = codes[9].replace('-', " ").to_uppercase();
    give(&mut challenged(&test).await, &by_hand).await.assert(StatusCode::OK);
    assert_eq!(left(&test).await, TwoFactorStatus::On { codes_left: 8 });
}

#[tokio::test]
async fn of_two_who_give_the_same_code_one_comes_in() {
    let test = elsewhere::test_engine(|_| with(storing(StoredBackupCodes::Hashed)));
    let (_, codes) = enrolled(&test).await;
    let (mut one, mut other) = (challenged(&test).await, challenged(&test).await);
    let (one, other) = tokio::join!(give(&mut one, &codes[0]), give(&mut other, &codes[0]));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200, "{statuses:?}");
    assert!(statuses[1] == 401 || statuses[1] == 409, "{statuses:?}");
}

#[tokio::test]
async fn who_turns_it_on_gets_the_codes_and_nobody_sees_them_again() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let shown = enable(&mut browser).await["backupCodes"].clone();
    let pending = backup_codes(&test.engine.api(), &ada(&test).await).await.unwrap();
    assert_eq!(json!(pending), shown, "they open nothing yet");

    let mut api = test.engine.api_for(&browser.cookie_header());
    let input = VerifyCode { code: code(&test).await, trust_device: false };
    let verified = verify_totp(&mut api, input).await.unwrap();
    assert_eq!(json!(verified.backup_codes), shown);
    let refused = backup_codes(&api, &verified.user).await.unwrap_err();
    assert_eq!(refused.code(), Some("BACKUP_CODES_ARE_HASHED"));
    assert!(refused.message().contains("Generate new ones"), "{refused}");
}

#[tokio::test]
async fn new_codes_are_hashed_and_end_the_old_ones() {
    let test = test_engine();
    let (mut browser, old) = enrolled(&test).await;
    let before = stored(&test).await;
    let new = browser.post("/two-factor/generate-backup-codes", json!({ "password": PASSWORD })).await;
    let new = new.assert(StatusCode::OK).json()["backupCodes"].clone();
    let after = stored(&test).await;
    assert!(after.starts_with("$argon2id$") && after != before);
    give(&mut challenged(&test).await, &old[0]).await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&test).await, new[0].as_str().unwrap()).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn codes_from_before_are_read_and_hashed_when_one_is_used() {
    let before = TestEngine::new(with(storing(StoredBackupCodes::Encrypted)));
    let (_, codes) = enrolled(&before).await;
    assert!(!stored(&before).await.starts_with("$argon2id$"));
    let after = under(&before, StoredBackupCodes::Hashed);
    give(&mut challenged(&after).await, &codes[0]).await.assert(StatusCode::OK);
    assert!(stored(&after).await.starts_with("$argon2id$"));
    give(&mut challenged(&after).await, &codes[0]).await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&after).await, &codes[1]).await.assert(StatusCode::OK);

    let back = under(&after, StoredBackupCodes::Encrypted);
    give(&mut challenged(&back).await, &codes[2]).await.assert(StatusCode::OK);
    assert_eq!(left(&back).await, TwoFactorStatus::On { codes_left: 7 });
}

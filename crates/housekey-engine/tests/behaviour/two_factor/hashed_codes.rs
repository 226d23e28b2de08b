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
use crate::support::{Browser, House, PASSWORD};

fn storing(store_backup_codes: StoredBackupCodes) -> TwoFactorOptions {
    let backup_codes = BackupCodeOptions { store_backup_codes, ..Default::default() };
    TwoFactorOptions { backup_codes, ..Default::default() }
}

fn house() -> House {
    House::new(with(storing(StoredBackupCodes::Hashed)))
}

/// The same rows, with other options.
fn under(house: &House, kind: StoredBackupCodes) -> House {
    house.under(with(storing(kind)))
}

async fn stored(house: &House) -> String {
    house.rows("twoFactor").await[0].text("backupCodes").unwrap().to_owned()
}

async fn ada(house: &House) -> User {
    house.engine.api().user_by_email("ada@example.com").await.unwrap().unwrap()
}

async fn left(house: &House) -> TwoFactorStatus {
    status(&house.engine.api(), &ada(house).await).await.unwrap()
}

async fn give(browser: &mut Browser, code: &str) -> crate::support::Answer {
    browser.post("/two-factor/verify-backup-code", json!({ "code": code })).await
}

#[tokio::test]
async fn a_code_is_in_no_row_and_opens_the_door_once_in_any_spelling() {
    let house = house();
    let (_, codes) = enrolled(&house).await;
    let hashes = stored(&house).await;
    assert!(hashes.starts_with("$argon2id$"), "{hashes}");
    assert_eq!(hashes.matches(',').count(), 2 + 9, "two in the parameters, nine between ten hashes");

    give(&mut challenged(&house).await, "aaaaa-aaaaa").await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&house).await, "").await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&house).await, &hashes).await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&house).await, &codes[3]).await.assert(StatusCode::OK);
    give(&mut challenged(&house).await, &codes[3]).await.refused(401, "INVALID_BACKUP_CODE");
    let by_hand = codes[9].replace('-', " ").to_uppercase();
    give(&mut challenged(&house).await, &by_hand).await.assert(StatusCode::OK);
    assert_eq!(left(&house).await, TwoFactorStatus::On { codes_left: 8 });
}

#[tokio::test]
async fn of_two_who_give_the_same_code_one_comes_in() {
    let house = elsewhere::house(|_| with(storing(StoredBackupCodes::Hashed)));
    let (_, codes) = enrolled(&house).await;
    let (mut one, mut other) = (challenged(&house).await, challenged(&house).await);
    let (one, other) = tokio::join!(give(&mut one, &codes[0]), give(&mut other, &codes[0]));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses[0], 200, "{statuses:?}");
    assert!(statuses[1] == 401 || statuses[1] == 409, "{statuses:?}");
}

#[tokio::test]
async fn who_turns_it_on_gets_the_codes_and_nobody_sees_them_again() {
    let house = house();
    let mut browser = house.ada().await;
    let shown = enable(&mut browser).await["backupCodes"].clone();
    let pending = backup_codes(&house.engine.api(), &ada(&house).await).await.unwrap();
    assert_eq!(json!(pending), shown, "they open nothing yet");

    let mut api = house.engine.api_for(&browser.cookie_header());
    let input = VerifyCode { code: code(&house).await, trust_device: false };
    let verified = verify_totp(&mut api, input).await.unwrap();
    assert_eq!(json!(verified.backup_codes), shown);
    let refused = backup_codes(&api, &verified.user).await.unwrap_err();
    assert_eq!(refused.code(), Some("BACKUP_CODES_ARE_HASHED"));
    assert!(refused.message().contains("Generate new ones"), "{refused}");
}

#[tokio::test]
async fn new_codes_are_hashed_and_end_the_old_ones() {
    let house = house();
    let (mut browser, old) = enrolled(&house).await;
    let before = stored(&house).await;
    let new = browser.post("/two-factor/generate-backup-codes", json!({ "password": PASSWORD })).await;
    let new = new.assert(StatusCode::OK).json()["backupCodes"].clone();
    let after = stored(&house).await;
    assert!(after.starts_with("$argon2id$") && after != before);
    give(&mut challenged(&house).await, &old[0]).await.refused(401, "INVALID_BACKUP_CODE");
    give(&mut challenged(&house).await, new[0].as_str().unwrap()).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn codes_from_before_are_read_and_hashed_when_one_is_used() {
    let before = House::new(with(storing(StoredBackupCodes::Encrypted)));
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

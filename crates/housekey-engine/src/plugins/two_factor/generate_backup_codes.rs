use serde_json::json;

use super::password::{check_password, field, read_password};
use super::row::{TwoFactorRow, new_codes};
use super::stored_codes::stored;
use super::{TwoFactorOptions, is_enabled, options};
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, Secret, SecurityEventKind, Shape, codes};

/// `POST /two-factor/generate-backup-codes`
pub(super) fn endpoint(chosen: &TwoFactorOptions) -> Endpoint {
    Endpoint::post("/two-factor/generate-backup-codes", |api| {
        Box::pin(async move {
            let password = read_password(api)?;
            let backup_codes = generate_backup_codes(api, password.as_ref()).await?;
            Reply::json(&Record::new().with("status", true).with("backupCodes", json!(backup_codes)))
        })
    })
    .about("Makes new backup codes in place of all that are left.")
    .takes([field(chosen)])
    .answers(Shape::object([Field::boolean("status"), Field::list("backupCodes", Shape::text())]))
    .needs_session()
}

/// New backup codes in place of all that are left.
pub async fn generate_backup_codes(api: &mut Api, password: Option<&Secret>) -> Result<Vec<String>> {
    let signed_in = api.require_stored_session().await?;
    let row = TwoFactorRow::shown_to(api, &signed_in.user).await?.filter(|_| is_enabled(&signed_in.user));
    let row = row.ok_or_else(|| codes::TWO_FACTOR_NOT_ENABLED.bad_request())?;
    check_password(api, &signed_in.user, password).await?;
    let fresh = new_codes(options(api)?.backup_codes);
    let mut changes = api.changes();
    let record = Record::new().with("backupCodes", stored(api, &fresh).await?);
    changes.update("twoFactor", row.filter(), record).await?;
    if changes.commit().await? == Commit::Done {
        let user_id = &signed_in.user.id;
        api.emit(api.event(SecurityEventKind::BackupCodesRegenerated, Some(user_id))).await;
    }
    Ok(fresh)
}

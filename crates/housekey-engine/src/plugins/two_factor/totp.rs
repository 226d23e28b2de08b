use http::StatusCode;
use std::sync::Arc;

use super::code::{code_at, matching_step};
use super::row::{TwoFactorRow, fingerprint};
use super::stored_codes::{StoredCodes, stored};
use super::verification::{Claimant, answer, fields, read_code, shape};
use super::{Verified, VerifyCode, enrolment, lockout, options, turned_on};
use crate::storage::Filter;
use crate::{Api, Changes, Commit, Endpoint, Record, Result, SecurityEventKind, SignedIn, User, codes};

/// `POST /two-factor/verify-totp`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/two-factor/verify-totp", |api| {
        Box::pin(async move {
            let input = read_code(api)?;
            let verified = verify_totp(api, input).await?;
            answer(api, &verified)
        })
    })
    .about(
        "Checks a code of an authenticator app: of somebody who just gave the right password, \
             or who is signed in. The first right code turns the factor on.",
    )
    .takes(fields())
    .answers(shape())
    .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_CODE, codes::INVALID_TWO_FACTOR_COOKIE])
}

/// Checks a code from an authenticator app.
///
/// While enrolment is pending, for a quarter of an hour, the first right code turns the factor on and replaces the session. A code works once.
pub async fn verify_totp(api: &mut Api, input: VerifyCode) -> Result<Verified> {
    let claimant = Claimant::of(api).await?;
    let row = TwoFactorRow::shown_to(api, claimant.user()).await?;
    let Some(row) = row.filter(|row| row.verified || matches!(claimant, Claimant::SignedIn(_))) else {
        return Err(codes::TOTP_NOT_ENABLED.bad_request());
    };
    if !row.verified && !enrolment::is_open(api, claimant.user(), &row).await? {
        return Err(codes::TOTP_NOT_ENABLED.bad_request());
    }
    claimant.attempt(api, Some(&row)).await?;
    if !is_right(api, claimant.user(), &row, &input.code).await? {
        claimant.refuse(api, "totp").await;
        lockout::failed(api, claimant.user(), &row).await?;
        return Err(codes::INVALID_CODE.unauthorized());
    }
    let mut changes = api.changes();
    lockout::succeeded_in(api, &mut changes, claimant.user(), &row).await?;
    match claimant {
        Claimant::SignedIn(signed_in) if !row.verified => turn_on(api, changes, &signed_in, &row).await,
        claimant => {
            let admitted = claimant.admit(api, changes, "totp", input.trust_device).await?;
            admitted.ok_or_else(|| codes::INVALID_TWO_FACTOR_COOKIE.unauthorized())
        }
    }
}

/// The code that is right now. Server code only: there is no endpoint.
pub async fn totp_code(api: &Api, user: &User) -> Result<String> {
    let options = options(api)?.totp;
    let row = TwoFactorRow::of(api, user).await?.ok_or_else(|| codes::TOTP_NOT_ENABLED.bad_request())?;
    let step = api.clock().unix() / u64::from(options.period.max(1));
    Ok(code_at(api.decrypt(&row.secret)?.as_bytes(), step, options.digits))
}

/// Whether a code is right and was not used before.
async fn is_right(api: &Api, user: &User, row: &TwoFactorRow, code: &str) -> Result<bool> {
    let options = options(api)?.totp;
    let secret = api.decrypt(&row.secret)?;
    let now = api.clock().now().unix_timestamp();
    let Some(step) = matching_step(secret.as_bytes(), code, now, options.digits, options.period) else {
        return Ok(false);
    };
    // Of this secret, whose row may be the one of a factor that was turned off a moment ago.
    let used = format!("2fa-totp-used-{}-{}-{step}", user.id, fingerprint(&row.secret));
    api.verifications().mark(&used, options.period.saturating_mul(4)).await
}

/// Turns the factor on and gives the client a new session in place of the one without it.
async fn turn_on(
    api: &mut Api,
    mut changes: Changes,
    signed_in: &SignedIn,
    row: &TwoFactorRow,
) -> Result<Verified> {
    if options(api)?.require_email_verification {
        api.require_verified_email(&signed_in.user)?;
    }
    let (backup_codes, stored_codes) = match row.codes(api)? {
        StoredCodes::Readable(codes) => {
            let stored = stored(api, &codes).await?;
            (codes, stored)
        }
        StoredCodes::Hashed(_) => (Vec::new(), row.backup_codes.clone()),
    };
    // The secret is part of the condition: only the one that the code was right for is turned on. So are the codes, which are
    // stored from here on as those that open something.
    let same = row.filter().and_by("secret", &row.secret).and_by("backupCodes", &row.backup_codes);
    let on = Record::new().with("verified", true).with("backupCodes", stored_codes);
    changes.update_expecting("twoFactor", same, on).await?;
    enrolment::end_in(api, &mut changes, &signed_in.user).await?;
    let rotated = rotate(api, changes, signed_in, turned_on(), SecurityEventKind::TwoFactorEnabled).await?;
    Ok(Verified { user: User::clone(&rotated.user), session: Some(rotated), backup_codes })
}

/// Changes the user and replaces the session, together with what else changes. The other sessions end where the options say so.
pub(super) async fn rotate(
    api: &mut Api,
    mut changes: Changes,
    signed_in: &SignedIn,
    mut record: Record,
    kind: SecurityEventKind,
) -> Result<Arc<SignedIn>> {
    record.set("updatedAt", api.clock().now());
    let user = signed_in.user.changed(&record)?;
    changes.update_expecting("user", Filter::by("id", &user.id), record).await?;
    changes.delete_expecting("session", Filter::by("token", &signed_in.session.token)).await?;
    let revokes = options(api)?.revoke_other_sessions;
    if revokes {
        api.prepare_end(&mut changes, &user.id, None).await?;
    }
    let session = api.prepare_session(&mut changes, &user.id, None).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(codes::UNAUTHORIZED.unauthorized());
    }
    let signed_in = api.adopt_session(SignedIn::new(session, user), None).await;
    api.emit(api.event(kind, Some(&signed_in.user.id))).await;
    if revokes {
        api.emit_sessions_revoked(&signed_in.user.id, true).await;
    }
    Ok(signed_in)
}

use data_encoding::HEXLOWER;
use http::StatusCode;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::row::TwoFactorRow;
use super::verification::{Claimant, answer, fields, read_code, shape};
use super::{OtpMail, StoredOtp, TwoFactorOptions, Verified, VerifyCode, lockout, options};
use crate::storage::Filter;
use crate::{Api, Endpoint, Field, Reply, Result, Shape, codes, constant_time_eq, random};

/// `POST /two-factor/send-otp`
pub(super) fn send_endpoint() -> Endpoint {
    Endpoint::post("/two-factor/send-otp", |api| {
        Box::pin(async move {
            let mut body = api.request().read_body().or_empty();
            body.optional_bool("trustDevice");
            body.finish()?;
            send_otp(api).await?;
            Reply::json(&json!({ "status": true }))
        })
    })
    .about(
        "Sends a code to whoever just gave the right password, or is signed in. It replaces \
             the one that was sent before.",
    )
    .may_take([Field::boolean("trustDevice").optional()])
    .answers(Shape::status())
    .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_TWO_FACTOR_COOKIE])
}

/// `POST /two-factor/verify-otp`
pub(super) fn verify_endpoint() -> Endpoint {
    Endpoint::post("/two-factor/verify-otp", |api| {
        Box::pin(async move {
            let input = read_code(api)?;
            let verified = verify_otp(api, input).await?;
            answer(api, &verified)
        })
    })
    .about("Checks a code that was sent.")
    .takes(fields())
    .answers(shape())
    .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_CODE, codes::INVALID_TWO_FACTOR_COOKIE])
    .refuses(StatusCode::BAD_REQUEST, [codes::OTP_HAS_EXPIRED])
}

/// Sends a code to whoever is signed in or challenged. It replaces the one that was sent before.
pub async fn send_otp(api: &mut Api) -> Result<()> {
    let options = options(api)?;
    let claimant = Claimant::of(api).await?;
    let identifier = claimant.otp_identifier();
    let otp = random::digits(options.otp.digits);
    let value = format!("{}:0", stored(api, &options, &otp)?);
    api.verifications().replace(&identifier, &value, options.otp.period).await?;
    let mail = OtpMail { user: claimant.user().clone(), otp };
    api.send("sendOTP", &options.otp.send_otp, mail).await;
    Ok(())
}

/// Checks a code that was sent.
pub async fn verify_otp(api: &mut Api, input: VerifyCode) -> Result<Verified> {
    let options = options(api)?;
    let claimant = Claimant::of(api).await?;
    let row = TwoFactorRow::of(api, claimant.user()).await?;
    match &row {
        // The code counts its own attempts and the row those of all codes, so that the challenge goes on: a new code may
        // be asked for.
        Some(row) => lockout::check(api, row)?,
        // Where there is no row to lock (the reference makes none for codes that are sent), the challenge ends instead.
        None => claimant.attempt(api, None).await?,
    }
    let identifier = claimant.otp_identifier();
    let Some(pending) = api.verifications().find(&identifier).await? else {
        return Err(codes::OTP_HAS_EXPIRED.bad_request());
    };
    let (kept, attempts) = pending.value.rsplit_once(':').unwrap_or((&pending.value, "0"));
    let attempts: u32 = attempts.parse().unwrap_or(u32::MAX);
    if attempts >= options.otp.allowed_attempts {
        api.verifications().delete(&identifier).await?;
        return Err(codes::TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE.bad_request());
    }
    if let Some(row) = &row {
        lockout::reserve(api, claimant.user(), row).await?;
    }
    // Counted before it is compared: guesses that arrive together each cost an attempt, or lose to the one that did.
    let counted = api.verifications().swap(&pending, &format!("{kept}:{}", attempts + 1)).await?;
    if !counted || !is_same(api, &options, kept, &input.code)? {
        claimant.refuse(api, "otp").await;
        if let Some(row) = &row {
            lockout::failed(api, claimant.user(), row).await?;
        }
        return Err(codes::INVALID_CODE.unauthorized());
    }
    let mut changes = api.changes();
    changes.delete_expecting("verification", Filter::by("id", &pending.id)).await?;
    if let Some(row) = &row {
        lockout::succeeded_in(api, &mut changes, claimant.user(), row).await?;
    }
    let admitted = claimant.admit(api, changes, "otp", input.trust_device).await?;
    admitted.ok_or_else(|| codes::OTP_HAS_EXPIRED.bad_request())
}

fn stored(api: &Api, options: &TwoFactorOptions, otp: &str) -> Result<String> {
    Ok(match options.otp.store_otp {
        StoredOtp::Plain => otp.to_owned(),
        StoredOtp::Encrypted => api.encrypt(otp)?,
        StoredOtp::Hashed => HEXLOWER.encode(&Sha256::digest(otp.as_bytes())),
    })
}

fn is_same(api: &Api, options: &TwoFactorOptions, kept: &str, code: &str) -> Result<bool> {
    Ok(match options.otp.store_otp {
        StoredOtp::Encrypted => constant_time_eq(api.decrypt(kept)?.as_bytes(), code.as_bytes()),
        StoredOtp::Plain | StoredOtp::Hashed => {
            constant_time_eq(kept.as_bytes(), stored(api, options, code)?.as_bytes())
        }
    })
}

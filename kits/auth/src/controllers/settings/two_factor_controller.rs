use housekey::auth::api;
use housekey::auth::engine::plugins::two_factor::{self, Enable, TwoFactorStatus, VerifyCode};
use housekey::prelude::*;

use crate::requests::auth::CodeRequest;

/// `POST /settings/two-factor`: begins enrolment. The account stays as it is until the first right code.
pub async fn enable() -> Result<Redirect> {
    let mut api = api()?;
    api.confirm_presence();
    two_factor::enable(&mut api, Enable::default()).await.or_field_error("code")?;
    Ok(redirect(&route("settings.two-factor")?))
}

/// `POST /settings/two-factor/confirm`: the first right code turns it on. The recovery codes are shown this once.
pub async fn confirm(CurrentUser(user): CurrentUser, Valid(form): Valid<CodeRequest>) -> Result<Redirect> {
    let code = form.code.chars().filter(char::is_ascii_digit).collect();
    let mut api = api()?;
    // Once it is on, a code alone must not bring the recovery codes to light again.
    if two_factor::status(&api, &user).await.or_http_error()? != TwoFactorStatus::Pending {
        let mut errors = FieldErrors::new();
        errors.add("code", t("There is nothing to confirm."));
        return Err(Error::invalid(errors));
    }
    let verified = two_factor::verify_totp(&mut api, VerifyCode { code, trust_device: false })
        .await
        .or_field_error("code")?;
    Ok(redirect(&route("settings.two-factor")?)
        .with("recovery_codes", verified.backup_codes)
        .with("status", t("Two-factor sign-in is on.")))
}

/// `DELETE /settings/two-factor`
pub async fn disable() -> Result<Redirect> {
    let mut api = api()?;
    api.confirm_presence();
    two_factor::disable(&mut api, None).await.or_http_error()?;
    Ok(redirect(&route("settings.two-factor")?).with("status", t("Two-factor sign-in is off.")))
}

/// `POST /settings/two-factor/recovery-codes`: ten new ones in place of those that are left.
pub async fn recovery_codes() -> Result<Redirect> {
    let mut api = api()?;
    api.confirm_presence();
    let codes = two_factor::generate_backup_codes(&mut api, None).await.or_http_error()?;
    Ok(redirect(&route("settings.two-factor")?)
        .with("recovery_codes", codes)
        .with("status", t("These are your new recovery codes.")))
}

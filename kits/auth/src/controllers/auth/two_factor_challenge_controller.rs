use housekey::auth::engine::plugins::two_factor::{
    Verified, VerifyBackupCode, VerifyCode, verify_backup_code, verify_totp,
};
use housekey::auth::engine::{ApiError, codes};
use housekey::auth::{api, guards::intended};
use housekey::prelude::*;

use crate::requests::auth::CodeRequest;

/// `POST /two-factor-challenge`: a code from the authenticator app.
pub async fn store(Valid(form): Valid<CodeRequest>) -> Result<Redirect> {
    let code = form.code.chars().filter(char::is_ascii_digit).collect();
    let input = VerifyCode { code, trust_device: form.trust_device };
    let verified = verify_totp(&mut api()?, input).await;
    go_on(verified).await
}

/// `POST /two-factor-challenge/recovery`: one of the codes that were kept. In any case, with or without its dash.
pub async fn recovery(Valid(form): Valid<CodeRequest>) -> Result<Redirect> {
    let input = VerifyBackupCode {
        code: form.code,
        any_spelling: true,
        trust_device: form.trust_device,
        ..default()
    };
    let verified = verify_backup_code(&mut api()?, input).await;
    go_on(verified).await
}

async fn go_on(verified: std::result::Result<Verified, ApiError>) -> Result<Redirect> {
    match &verified {
        Err(error) if error.is(codes::INVALID_TWO_FACTOR_COOKIE) => {
            begin_again(t("That took too long. Please begin again with your password."))
        }
        Err(error) if error.is(codes::TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE) => {
            begin_again(t("Those were too many wrong codes. Please begin again with your password."))
        }
        _ => {
            verified.or_field_error("code")?;
            intended(&route("dashboard")?).await
        }
    }
}

/// The challenge is over, and no code answers it any more. That is not about what was typed: a page goes back to the
/// password, and a script learns by the status that nobody is about to be signed in.
fn begin_again(message: String) -> Result<Redirect> {
    if wants_json() {
        return Err(Error::unauthenticated().with_code("TWO_FACTOR_EXPIRED").with_message(message));
    }
    Ok(redirect(&route("sign-in")?).with("warning", message))
}

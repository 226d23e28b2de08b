use housekey::auth::engine::plugins::two_factor::{
    VerifyBackupCode, VerifyCode, verify_backup_code, verify_totp,
};
use housekey::auth::{api, guards::intended};
use housekey::prelude::*;

use crate::places;
use crate::requests::auth::CodeRequest;

/// `POST /two-factor-challenge`: a code from the authenticator app.
pub async fn store(Valid(form): Valid<CodeRequest>) -> Result<Redirect> {
    let code = form.code.chars().filter(char::is_ascii_digit).collect();
    let input = VerifyCode { code, trust_device: form.trust_device };
    verify_totp(&mut *api()?, input).await.refuse_at("code")?;
    intended(places::DASHBOARD).await
}

/// `POST /two-factor-challenge/recovery`: one of the codes that were kept. In any case, with or without its dash.
pub async fn recovery(Valid(form): Valid<CodeRequest>) -> Result<Redirect> {
    let input = VerifyBackupCode {
        code: form.code,
        any_spelling: true,
        trust_device: form.trust_device,
        ..Default::default()
    };
    verify_backup_code(&mut *api()?, input).await.refuse_at("code")?;
    intended(places::DASHBOARD).await
}

use housekey::auth::api;
use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::auth::guards::{ConfirmForm, intended};
use housekey::axum::extract::Query;
use housekey::prelude::*;
use housekey::serde::Deserialize;

use super::{private, shortest_password, sign_up_open};
use crate::places;
use crate::views::pages::{
    ChangeEmailConfirm, ConfirmPassword, Expired, ForgotPassword, RecoveryChallenge, ResetPassword, SignIn,
    SignUp, TwoFactorChallenge, VerifyEmail, VerifyEmailConfirm,
    change_email_confirm as change_email_confirm_page, confirm_password as confirm_password_page,
    forgot_password as forgot_password_page, recovery_challenge as recovery_challenge_page,
    reset_password as reset_password_page, sign_in as sign_in_page, sign_up as sign_up_page,
    two_factor_challenge as two_factor_challenge_page, verify_email as verify_email_page,
    verify_email_confirm as verify_email_confirm_page,
};

/// The token of a link in a mail.
#[derive(Deserialize)]
#[serde(crate = "housekey::serde")]
pub struct Link {
    token: Option<String>,
}

/// `GET /sign-in`
pub async fn sign_in() -> Result<View> {
    let development = service::<AppConfig>().is_some_and(|app| !app.env.is_production());
    // An old session cookie that no longer opens anything: somebody was signed in for long enough.
    let request = RequestContext::current();
    let held = request.as_ref().and_then(|request| request.header("cookie")).unwrap_or_default();
    let expired = held.contains("session_token=").then_some(Expired::Session);
    Ok(view(sign_in_page(&SignIn {
        passkeys: true,
        destination: "/signed-in".into(),
        sign_up_open: sign_up_open()?,
        retry_after: None,
        expired,
        mailbox: development.then(|| "/dev/mailbox".to_owned()),
    })))
}

/// `GET /signed-in`: where a passkey leads, whose ceremony knows nothing of pages. On to what the guest wanted to see.
pub async fn signed_in() -> Result<Redirect> {
    intended(places::DASHBOARD).await
}

/// `GET /sign-up`: closed, it is not there.
pub async fn sign_up() -> Result<View> {
    if !sign_up_open()? {
        return Err(Error::not_found());
    }
    Ok(view(sign_up_page(&SignUp { min_password_length: shortest_password()?, retry_after: None })))
}

/// `GET /forgot-password`
pub async fn forgot_password() -> View {
    view(forgot_password_page(&ForgotPassword { retry_after: None }))
}

/// `GET /reset-password?token=…`: without a token there is nothing to do here.
pub async fn reset_password(Query(link): Query<Link>) -> Result<Response> {
    let Some(token) = link.token.filter(|token| !token.is_empty()) else {
        return Ok(redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response());
    };
    let owner = api()?.password_reset_owner(&token.as_str().into()).await.refuse()?;
    let props = ResetPassword {
        token,
        spent: owner.is_none(),
        email: owner.map(|user| user.email),
        min_password_length: shortest_password()?,
    };
    Ok(private(view(reset_password_page(&props))).into_response())
}

/// `GET /verify-email`
pub async fn verify_email(CurrentUser(user): CurrentUser) -> View {
    let props = VerifyEmail { email: user.email.clone(), verified: user.email_verified, retry_after: None };
    private(view(verify_email_page(&props)))
}

/// `GET /verify-email/confirm?token=…`: asks; the token is spent by the button.
pub async fn verify_email_confirm(Query(link): Query<Link>) -> Response {
    let Some(token) = link.token else {
        return redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response();
    };
    private(view(verify_email_confirm_page(&VerifyEmailConfirm { token, spent: false }))).into_response()
}

/// `GET /change-email/confirm?token=…`
pub async fn change_email_confirm(Query(link): Query<Link>) -> Response {
    let Some(token) = link.token else {
        return redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response();
    };
    let props = ChangeEmailConfirm { token, new_email: None, last_step: false, spent: false };
    private(view(change_email_confirm_page(&props))).into_response()
}

/// `GET /confirm-password`
pub async fn confirm_password(CurrentUser(user): CurrentUser) -> Result<View> {
    let passkeys = has_passkeys().await?;
    let props =
        ConfirmPassword { email: user.email.clone(), passkeys, replay: None, error: None, retry_after: None };
    Ok(private(view(confirm_password_page(&props))))
}

/// The same page as the answer to an action that wants to know that it is really you.
pub async fn confirm(form: ConfirmForm) -> Result<View> {
    let props = ConfirmPassword {
        email: require_user()?.email.clone(),
        passkeys: has_passkeys().await?,
        replay: form.replay().map(str::to_owned),
        error: form.error().map(str::to_owned),
        retry_after: None,
    };
    Ok(private(view(confirm_password_page(&props))))
}

async fn has_passkeys() -> Result<bool> {
    Ok(!list_passkeys(&mut *api()?).await.refuse()?.is_empty())
}

/// `GET /two-factor-challenge`: without a sign-in under way there is nothing to answer.
pub async fn two_factor_challenge() -> Response {
    if !is_challenged() {
        return redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response();
    }
    private(view(two_factor_challenge_page(&TwoFactorChallenge { trust_days: 30, retry_after: None })))
        .into_response()
}

/// `GET /two-factor-challenge/recovery`
pub async fn recovery_challenge() -> Response {
    if !is_challenged() {
        return redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response();
    }
    private(view(recovery_challenge_page(&RecoveryChallenge { retry_after: None }))).into_response()
}

fn is_challenged() -> bool {
    let request = RequestContext::current();
    request
        .as_ref()
        .and_then(|request| request.header("cookie"))
        .is_some_and(|held| held.contains(".two_factor="))
}

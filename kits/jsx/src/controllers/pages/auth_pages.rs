use housekey::auth::engine::EmailLink;
use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::auth::guards::{ConfirmForm, intended};
use housekey::auth::{Feature, api, offers, session_ended};
use housekey::axum::extract::Query;
use housekey::prelude::*;
use housekey::serde::Deserialize;

use super::{private, shortest_password};
use crate::controllers::auth::visitor;
use crate::places;
use crate::views::pages::{
    ChangeEmailConfirm, ConfirmPassword, ResetPassword, SignIn, SignUp, TwoFactorChallenge, VerifyEmail,
    VerifyEmailConfirm, change_email_confirm as change_email_confirm_page,
    confirm_password as confirm_password_page, forgot_password as forgot_password_page,
    recovery_challenge as recovery_challenge_page, reset_password as reset_password_page,
    sign_in as sign_in_page, sign_up as sign_up_page, two_factor_challenge as two_factor_challenge_page,
    verify_email as verify_email_page, verify_email_confirm as verify_email_confirm_page,
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
    Ok(view(sign_in_page(&SignIn {
        passwords: offers(Feature::Password),
        passkeys: offers(Feature::Passkeys),
        destination: "/signed-in".into(),
        sign_up_open: offers(Feature::SignUp),
        expired: session_ended()?,
        mailbox: development.then(|| "/dev/mailbox".to_owned()),
    })))
}

/// `GET /signed-in`: where a passkey leads, whose ceremony knows nothing of pages. On to what the guest wanted to see.
pub async fn signed_in() -> Result<Redirect> {
    intended(places::DASHBOARD).await
}

/// `GET /sign-up`
pub async fn sign_up() -> Result<View> {
    Ok(view(sign_up_page(&SignUp { min_password_length: shortest_password()? })))
}

/// `GET /forgot-password`
pub async fn forgot_password() -> View {
    view(forgot_password_page())
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
    let props = VerifyEmail { email: user.email.clone(), verified: user.email_verified };
    private(view(verify_email_page(&props)))
}

/// `GET /verify-email/confirm?token=…`: asks; the token is spent by the button. The mail to a new address leads here too.
pub async fn verify_email_confirm(Query(link): Query<Link>) -> Result<Response> {
    let Some(token) = link.token.filter(|token| !token.is_empty()) else {
        return Ok(redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response());
    };
    let purpose = api()?.email_link(&token).await.refuse()?;
    Ok(match purpose {
        Some(EmailLink::AgreesTo(_) | EmailLink::MovesTo(_)) => change_of_email(token, purpose),
        _ => {
            let props = VerifyEmailConfirm { token, spent: purpose.is_none() };
            private(view(verify_email_confirm_page(&props))).into_response()
        }
    })
}

/// `GET /change-email/confirm?token=…`
pub async fn change_email_confirm(Query(link): Query<Link>) -> Result<Response> {
    let Some(token) = link.token.filter(|token| !token.is_empty()) else {
        return Ok(redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response());
    };
    let purpose = api()?.email_link(&token).await.refuse()?;
    Ok(change_of_email(token, purpose))
}

fn change_of_email(token: String, purpose: Option<EmailLink>) -> Response {
    let (new_email, last_step) = match purpose {
        Some(EmailLink::AgreesTo(email)) => (Some(email), false),
        Some(EmailLink::MovesTo(email)) => (Some(email), true),
        Some(EmailLink::Proves) | None => (None, false),
    };
    let props = ChangeEmailConfirm { token, spent: new_email.is_none(), new_email, last_step };
    private(view(change_email_confirm_page(&props))).into_response()
}

/// `GET /confirm-password`
pub async fn confirm_password(CurrentUser(user): CurrentUser) -> Result<View> {
    let passkeys = has_passkeys().await?;
    // After too many attempts this page is the answer, and still has what waits for the password.
    let replay = Some(old("replay")).filter(|sealed| !sealed.is_empty());
    let props = ConfirmPassword { email: user.email.clone(), passkeys, replay, error: None };
    Ok(private(view(confirm_password_page(&props))))
}

/// The same page as the answer to an action that wants to know that it is really you.
pub async fn confirm(form: ConfirmForm) -> Result<View> {
    let props = ConfirmPassword {
        email: require_user()?.email.clone(),
        passkeys: has_passkeys().await?,
        replay: form.replay().map(str::to_owned),
        error: form.error().map(str::to_owned),
    };
    Ok(private(view(confirm_password_page(&props))))
}

async fn has_passkeys() -> Result<bool> {
    Ok(offers(Feature::Passkeys) && !list_passkeys(&mut *api()?).await.refuse()?.is_empty())
}

/// `GET /two-factor-challenge`: without a sign-in under way there is nothing to answer.
pub async fn two_factor_challenge() -> Result<Response> {
    if !visitor::is_challenged()? {
        return Ok(redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response());
    }
    let page = two_factor_challenge_page(&TwoFactorChallenge { trust_days: 30 });
    Ok(private(view(page)).into_response())
}

/// `GET /two-factor-challenge/recovery`
pub async fn recovery_challenge() -> Result<Response> {
    if !visitor::is_challenged()? {
        return Ok(redirect(places::SIGN_IN).status(StatusCode::FOUND).into_response());
    }
    Ok(private(view(recovery_challenge_page())).into_response())
}

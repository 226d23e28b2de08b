use housekey::auth::engine::EmailLink as LinkPurpose;
use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::auth::guards::ConfirmForm;
use housekey::auth::{Feature, api, offers, session_ended, social_providers};
use housekey::axum::extract::Query;
use housekey::prelude::*;
use serde::Deserialize;

use super::{private, shortest_password};
use crate::controllers::auth::captcha::{CHECK_MAIL, FORGOT_PASSWORD, SIGN_IN, SIGN_UP, captcha_before};
use crate::controllers::auth::last_used::last_used;
use crate::controllers::auth::social_errors::explain;
use crate::controllers::auth::visitor;
use crate::controllers::settings::ways_in::ways_in;
use crate::views::components::Captcha;
use crate::views::pages::{
    ConfirmPassword, EmailLink, ForgotPassword, ResetPassword, SignIn, SignUp, TwoFactorChallenge,
    VerifyEmail, confirm_password as confirm_password_page, forgot_password as forgot_password_page,
    reset_password as reset_password_page, sign_in as sign_in_page, sign_up as sign_up_page,
    two_factor_challenge as two_factor_challenge_page, verify_email as verify_email_page,
};

/// The token of a link in a mail.
#[derive(Deserialize)]
pub struct Link {
    token: Option<String>,
}

impl Link {
    /// The token, if there is one.
    pub fn token(self) -> Option<String> {
        self.token.filter(|token| !token.is_empty())
    }
}

/// What a sign-in with a provider left in the address when it was refused.
#[derive(Deserialize)]
pub struct Refusal {
    error: Option<String>,
    provider: Option<String>,
}

impl Refusal {
    /// In words for people.
    pub fn explained(&self) -> Option<String> {
        self.error.as_deref().map(|code| explain(code, self.provider.as_deref()))
    }
}

/// `GET /sign-in`
pub async fn sign_in(Query(refusal): Query<Refusal>) -> Result<View> {
    let development = service::<AppConfig>().is_some_and(|app| !app.env.is_production() && app.is_local());
    Ok(view(sign_in_page(&SignIn {
        passwords: offers(Feature::Password),
        usernames: offers(Feature::Username),
        magic_link: offers(Feature::MagicLink),
        email_code: offers(Feature::EmailCode),
        passkeys: offers(Feature::Passkeys),
        providers: social_providers(),
        last_used: last_used(),
        refused: refusal.explained(),
        destination: route_url("signed-in", &[("with", "passkey")])?,
        sign_up_open: offers(Feature::SignUp),
        adding: user().is_some(),
        captcha: captcha(SIGN_IN)?,
        expired: session_ended()?,
        mailbox: development.then(|| "/dev/mailbox".to_owned()),
    })))
}

/// `GET /sign-up`
pub async fn sign_up() -> Result<View> {
    let props = SignUp {
        usernames: offers(Feature::Username),
        providers: social_providers(),
        captcha: captcha(SIGN_UP)?,
        min_password_length: shortest_password()?,
    };
    Ok(view(sign_up_page(&props)))
}

/// `GET /forgot-password`
pub async fn forgot_password() -> Result<View> {
    let props = ForgotPassword { captcha: captcha(FORGOT_PASSWORD)? };
    Ok(view(forgot_password_page(&props)))
}

/// The widget for a form that does what these endpoints do.
pub fn captcha(endpoints: &[&str]) -> Result<Option<Captcha>> {
    let widget = captcha_before(endpoints)?;
    Ok(widget.map(|widget| Captcha { script: widget.script, class: widget.class, site_key: widget.site_key }))
}

/// `GET /reset-password?token=…`: without a token there is nothing to do here.
pub async fn reset_password(Query(link): Query<Link>) -> Result<Response> {
    let Some(token) = link.token() else {
        return Ok(redirect(&route("sign-in")?).status(StatusCode::FOUND).into_response());
    };
    let owner = api()?.password_reset_owner(&token.as_str().into()).await.or_http_error()?;
    let props = ResetPassword {
        token,
        spent: owner.is_none(),
        email: owner.map(|user| user.email),
        min_password_length: shortest_password()?,
    };
    Ok(private(view(reset_password_page(&props))).into_response())
}

/// `GET /verify-email/sent`: for somebody who signed up and is not in before they opened the link.
pub async fn check_mail() -> Result<View> {
    Ok(view(verify_email_page(&VerifyEmail::Sent { captcha: captcha(CHECK_MAIL)? })))
}

/// `GET /verify-email`
pub async fn verify_email(CurrentUser(user): CurrentUser) -> View {
    let props = match user.email_verified {
        true => VerifyEmail::Confirmed,
        false => VerifyEmail::Waiting { email: user.email.clone() },
    };
    private(view(verify_email_page(&props)))
}

/// `GET /verify-email/confirm?token=…`: asks; the token is spent by the button. The mail to a new address leads here too.
pub async fn verify_email_link(Query(link): Query<Link>) -> Result<Response> {
    opened_link(link, false).await
}

/// `GET /change-email/confirm?token=…`
pub async fn change_email_link(Query(link): Query<Link>) -> Result<Response> {
    opened_link(link, true).await
}

/// The same page for every link about an address: what the link is for stands in its token.
async fn opened_link(link: Link, changes_address: bool) -> Result<Response> {
    let Some(token) = link.token() else {
        return Ok(redirect(&route("sign-in")?).status(StatusCode::FOUND).into_response());
    };
    let props = match api()?.email_link(&token).await.or_http_error()? {
        Some(LinkPurpose::AgreesTo(email)) => VerifyEmail::Opened { token, link: EmailLink::AgreesTo(email) },
        Some(LinkPurpose::MovesTo(email)) => VerifyEmail::Opened { token, link: EmailLink::MovesTo(email) },
        Some(LinkPurpose::Proves) if !changes_address => {
            VerifyEmail::Opened { token, link: EmailLink::Proves }
        }
        Some(LinkPurpose::Proves) | None => VerifyEmail::Spent { changes_address },
    };
    Ok(private(view(verify_email_page(&props))).into_response())
}

/// `GET /confirm-password`
pub async fn confirm_password() -> Result<View> {
    // After too many attempts this page is the answer, and still has what waits for the password.
    let replay = Some(old("replay")).filter(|sealed| !sealed.is_empty());
    confirmation(replay, None, route("dashboard")?).await
}

/// The same page as the answer to an action that wants to know that it is really you.
pub async fn confirm(form: ConfirmForm) -> Result<View> {
    let replay = form.replay().map(str::to_owned);
    confirmation(replay, form.error().map(str::to_owned), back().target().to_owned()).await
}

async fn confirmation(replay: Option<String>, error: Option<String>, return_to: String) -> Result<View> {
    let user = require_user()?;
    let ways = ways_in(&user).await?;
    let props = ConfirmPassword {
        email: user.email.clone(),
        has_password: ways.has_password,
        providers: social_providers().into_iter().filter(|provider| ways.has(&provider.id)).collect(),
        return_to,
        passkeys: has_passkeys().await?,
        replay,
        error,
    };
    Ok(private(view(confirm_password_page(&props))))
}

async fn has_passkeys() -> Result<bool> {
    Ok(offers(Feature::Passkeys) && !list_passkeys(&mut api()?).await.or_http_error()?.is_empty())
}

/// `GET /two-factor-challenge`: without a sign-in under way there is nothing to answer.
pub async fn two_factor_challenge() -> Result<Response> {
    if !visitor::is_challenged()? {
        return Ok(redirect(&route("sign-in")?).status(StatusCode::FOUND).into_response());
    }
    let props = TwoFactorChallenge { trust_days: 30, recovery: old("with") == "recovery" };
    Ok(private(view(two_factor_challenge_page(&props))).into_response())
}

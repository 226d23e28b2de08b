use housekey::auth::{Auth, Feature, SocialProvider, User, offers, session_ended, social_providers};
use housekey::auth::{SignedInAccount, accounts};
use housekey::prelude::*;
use serde::Serialize;

use crate::controllers::auth::captcha::{
    CHECK_MAIL, Captcha, EMAIL_CODE, FORGOT_PASSWORD, SIGN_IN, SIGN_UP, captcha_before,
};
use crate::controllers::auth::{email_code_controller as email_code, last_used::last_used, visitor};

/// Who is there, and what the pages need before the first one is shown.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionAnswer {
    /// Who is signed in, if anybody is.
    pub user: Option<Person>,
    /// The token that every write carries.
    pub csrf: String,
    /// Whether a sign-in waits for its second step.
    pub challenged: bool,
    /// Whether the visitor was signed in until now. Told once.
    pub expired: bool,
    /// The address that a code was sent to, while a sign-in waits for it.
    pub awaits_code: Option<String>,
    /// The accounts that this browser is signed in with, the present one first. None where the app has one at a time.
    pub signed_in: Vec<SignedInRow>,
    /// How somebody signed in here last: `password`, `passkey`, `magic-link`, `email-code` or the id of a provider.
    pub last_used: Option<String>,
    /// What holds for everybody.
    pub accounts: Accounts,
}

/// Somebody as their own pages show them. What is not in here does not leave the server.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Person {
    /// The account's own name for itself; it never changes.
    pub id: String,
    /// What they call themselves.
    pub name: String,
    /// Where their mail goes.
    pub email: String,
    /// Whether they have opened the link that was sent there.
    pub email_verified: bool,
}

/// An account that this browser is signed in with.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SignedInRow {
    /// For going on with it, and for signing out of it.
    pub id: String,
    pub name: String,
    pub email: String,
    /// Whether it is the present one.
    pub current: bool,
}

impl From<SignedInAccount> for SignedInRow {
    fn from(account: SignedInAccount) -> Self {
        let SignedInAccount { id, user, is_current, .. } = account;
        Self { id, name: user.name.clone(), email: user.email.clone(), current: is_current }
    }
}

/// How accounts are set up.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Accounts {
    /// Whether anybody may make an account.
    pub sign_up_open: bool,
    /// What `config/auth.rs` turns on, by the names of the guard `offers:…`.
    pub offers: Vec<&'static str>,
    /// The shortest password that is taken.
    pub min_password_length: usize,
    /// Where mails can be read in development.
    pub mailbox: Option<&'static str>,
    /// With whom people can sign in, in the order of `config/auth.rs`.
    pub providers: Vec<Provider>,
    /// What tells people from programs, where there is a captcha.
    pub captchas: Option<Captchas>,
}

/// The widget of the captcha, for each form that it stands before.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Captchas {
    pub sign_in: Option<Captcha>,
    pub sign_up: Option<Captcha>,
    pub forgot_password: Option<Captcha>,
    pub email_code: Option<Captcha>,
    pub check_mail: Option<Captcha>,
}

/// Somebody else who knows who people are.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Provider {
    /// As in the addresses that lead to it.
    pub id: String,
    /// As people know it.
    pub name: String,
}

impl From<SocialProvider> for Provider {
    fn from(provider: SocialProvider) -> Self {
        Self { id: provider.id, name: provider.name }
    }
}

impl From<&User> for Person {
    fn from(user: &User) -> Self {
        Self {
            id: user.id.clone(),
            name: user.name.clone(),
            email: user.email.clone(),
            email_verified: user.email_verified,
        }
    }
}

/// `GET /api/session`: for everybody. It is also where a first visitor gets a session, and a script its token.
pub async fn show() -> Result<Json<SessionAnswer>> {
    let user = user().map(|user| Person::from(&*user));
    let development = service::<AppConfig>().is_some_and(|app| !app.env.is_production() && app.is_local());
    let auth = Auth::current()?;
    Ok(Json(SessionAnswer {
        csrf: csrf_token(),
        challenged: visitor::is_challenged()?,
        expired: session_ended()?,
        awaits_code: email_code::waiting().await?,
        signed_in: accounts().await?.into_iter().map(SignedInRow::from).collect(),
        last_used: last_used(),
        accounts: Accounts {
            sign_up_open: offers(Feature::SignUp),
            offers: Feature::ALL.into_iter().filter(|feature| offers(*feature)).map(Feature::name).collect(),
            min_password_length: auth.config().engine.email_and_password.min_password_length,
            mailbox: development.then_some("/dev/mailbox"),
            providers: social_providers().into_iter().map(Provider::from).collect(),
            captchas: captchas()?,
        },
        user,
    }))
}

fn captchas() -> Result<Option<Captchas>> {
    let captchas = Captchas {
        sign_in: captcha_before(SIGN_IN)?,
        sign_up: captcha_before(SIGN_UP)?,
        forgot_password: captcha_before(FORGOT_PASSWORD)?,
        email_code: captcha_before(EMAIL_CODE)?,
        check_mail: captcha_before(CHECK_MAIL)?,
    };
    let Captchas { sign_in, sign_up, forgot_password, email_code, check_mail } = &captchas;
    let has_one = [sign_in, sign_up, forgot_password, email_code, check_mail].iter().any(|one| one.is_some());
    Ok(has_one.then_some(captchas))
}

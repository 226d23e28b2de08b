use housekey::auth::{Auth, Feature, User, offers, session_ended};
use housekey::prelude::*;
use serde::Serialize;

use crate::controllers::auth::visitor;

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
        accounts: Accounts {
            sign_up_open: offers(Feature::SignUp),
            offers: Feature::ALL.into_iter().filter(|feature| offers(*feature)).map(Feature::name).collect(),
            min_password_length: auth.config().engine.email_and_password.min_password_length,
            mailbox: development.then_some("/dev/mailbox"),
        },
        user,
    }))
}

use std::time::Duration;

use housekey_cache::{RateLimiter, cache};
use housekey_core::{Error, Result};
use housekey_engine::{Api, Session, User};

use crate::guards::confirm::window;
use crate::{Auth, Demand};

/// Who does something, and what it is called where it is counted.
pub(super) struct Attempt<'a> {
    pub(super) what: &'a str,
    pub(super) user: &'a User,
    /// The session they are here by; without one no password was confirmed.
    pub(super) session: Option<&'a Session>,
    /// Whether the request itself brings a password that will be checked.
    pub(super) brings_password: bool,
}

/// What somebody lacks.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Lacking {
    VerifiedAddress,
    ConfirmedPassword,
    /// How long to wait until it may be done again.
    TooOften(Duration),
}

/// The first of some demands that is not met.
pub(super) async fn lacking(
    auth: &Auth,
    api: &Api,
    demands: &[Demand],
    attempt: &Attempt<'_>,
) -> Result<Option<Lacking>> {
    for demand in demands {
        let lacking = match *demand {
            Demand::Verified => (!attempt.user.email_verified).then_some(Lacking::VerifiedAddress),
            Demand::PasswordConfirm => {
                let confirmed = attempt.brings_password || is_confirmed(auth, api, attempt).await?;
                (!confirmed).then_some(Lacking::ConfirmedPassword)
            }
            Demand::Throttle { max, minutes } => too_often(attempt, max, minutes).await?,
        };
        if lacking.is_some() {
            return Ok(lacking);
        }
    }
    Ok(None)
}

async fn is_confirmed(auth: &Auth, api: &Api, attempt: &Attempt<'_>) -> Result<bool> {
    match attempt.session {
        Some(session) => window::is_open(auth, api, attempt.user, session).await,
        None => Ok(false),
    }
}

/// Counted by person and action, so that both doors and all addresses share one count.
async fn too_often(attempt: &Attempt<'_>, max: u32, minutes: u32) -> Result<Option<Lacking>> {
    let key = format!("auth:action:{}:{max}/{minutes}:{}", attempt.what, attempt.user.id);
    let counted = RateLimiter::new(cache()?).hit(&key, max, Demand::window(minutes)).await;
    // Whoever breaks the cache must not win unlimited guesses by it.
    let decision = counted.map_err(|error| {
        Error::unavailable(Duration::from_secs(5)).context(format!("the cache is out of reach: {error}"))
    })?;
    Ok((!decision.allowed).then_some(Lacking::TooOften(decision.retry_after)))
}

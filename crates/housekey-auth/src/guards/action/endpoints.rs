use std::collections::HashMap;
use std::sync::Arc;

use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_engine::{Api, ApiError, Endpoint, Plugin};
use http::header::RETRY_AFTER;
use http::{HeaderName, HeaderValue, StatusCode};

use super::check::{Attempt, Lacking, lacking};
use crate::guards::unverified;
use crate::{Action, Auth, Demand, Demands};

/// What an endpoint asks of whoever is signed in.
struct Asked {
    /// What tries are counted under: the action, so that its endpoints and the app's routes share a count.
    what: String,
    demands: Vec<Demand>,
    password_field: Option<&'static str>,
}

/// Asks, inside the engine: after its limits, its check of the origin and the plugins that know who is there, and before
/// the endpoint does anything.
pub(crate) fn plugin(table: &Demands) -> Plugin {
    let asked = Arc::new(by_path(table));
    Plugin::new("demands").before(move |api| {
        let asked = Arc::clone(&asked);
        Box::pin(async move {
            match asked.get(api.request().path()) {
                Some(asked) => ask(api, asked).await,
                None => Ok(()),
            }
        })
    })
}

fn by_path(table: &Demands) -> HashMap<String, Asked> {
    let action_at = |path: &str| Action::ALL.into_iter().find(|action| action.endpoints().contains(&path));
    let asked = table.endpoints().map(|path| {
        let action = action_at(path);
        let asked = Asked {
            what: action.map_or(path, |action| action.name()).to_owned(),
            demands: table.at(path).to_vec(),
            password_field: action.and_then(Action::password_field),
        };
        (path.to_owned(), asked)
    });
    asked.filter(|(_, asked)| !asked.demands.is_empty()).collect()
}

/// Whether every endpoint that the app named is there: a slip of the pen would leave one open.
pub(crate) fn check_paths(table: &Demands, endpoints: &[Endpoint]) -> Result<()> {
    let is_there = |path: &str| endpoints.iter().any(|endpoint| endpoint.path() == path);
    let mut named = table.named_endpoints();
    let Some(path) = named.find(|path| path.contains(':') || !is_there(path)) else { return Ok(()) };
    Err(Error::internal(format!(
        "config/auth.rs: `demands` asks for something at the endpoint `{path}`, and there is none with that path \
         (`housekey route:list --path=/api/auth` lists them; one with a parameter cannot be named)"
    )))
}

// spec: SEC-1
async fn ask(api: &mut Api, asked: &Asked) -> housekey_engine::Result<()> {
    // Somebody who is not signed in has nothing to confirm: the endpoint knows what to answer.
    let Some(signed_in) = api.stored_session().await? else { return Ok(()) };
    let brings_password = match asked.password_field {
        // Whoever has no password has none to prove anything with, whatever an endpoint makes of that.
        Some(field) => brings(api, field) && api.has_password(&signed_in.user).await?,
        None => false,
    };
    let attempt = Attempt {
        what: &asked.what,
        user: &signed_in.user,
        session: Some(&signed_in.session),
        brings_password,
    };
    let auth = Auth::current().map_err(|error| failed(&error))?;
    if let Some(lacking) =
        lacking(&auth, api, &asked.demands, &attempt).await.map_err(|error| failed(&error))?
    {
        return Err(refusal(&lacking));
    }
    if asked.demands.contains(&Demand::PasswordConfirm) && !brings_password {
        // The window is open: the endpoint need not ask for the password once more.
        api.confirm_presence();
    }
    Ok(())
}

fn brings(api: &Api, field: &str) -> bool {
    api.request().read_body().optional_text(field).is_some_and(|password| !password.is_empty())
}

fn refusal(lacking: &Lacking) -> ApiError {
    let error = match lacking {
        Lacking::ConfirmedPassword => Error::locked(),
        Lacking::VerifiedAddress => unverified(),
        Lacking::TooOften(wait) => Error::too_many_requests(*wait),
    };
    in_the_engines_words(&error)
}

/// A refusal of ours as the engine writes its own: what its clients read.
fn in_the_engines_words(error: &Error) -> ApiError {
    let message = t(error.message());
    let mut refused = match error.code() {
        Some(code) => ApiError::new(error.status(), code.to_owned(), message),
        None => ApiError::message_only(error.status(), message),
    };
    if let Some(wait) = error.headers().get(RETRY_AFTER) {
        // The official client reads the one, everybody else the other.
        refused = refused.with_header(RETRY_AFTER, wait.clone());
        refused = refused.with_header(HeaderName::from_static("x-retry-after"), HeaderValue::clone(wait));
    }
    refused
}

fn failed(error: &Error) -> ApiError {
    match error.status() {
        StatusCode::SERVICE_UNAVAILABLE => {
            tracing::error!(%error, "what an account's action asks for could not be counted");
            in_the_engines_words(error)
        }
        _ => {
            ApiError::internal("what an account's action asks for could not be found out", error.to_string())
        }
    }
}

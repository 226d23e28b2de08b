use std::sync::Arc;

use axum::response::IntoResponse;
use housekey_core::{Error, Result};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::response::redirect;
use housekey_http::{Guard, Next, Request, Response, wants_json};
use http::StatusCode;

use super::api_key::with_api_keys;
use super::identifiers::{Identifier, Identifiers};
use super::intended;
use crate::api_key::present;
use crate::current::Current;
use crate::{Auth, ended};

/// `auth`, or `auth:name` for another way to know who is there: `api-key`, or one of the app's own. Of several, `auth:session,api-key`,
/// one is enough; `session` is what `auth` alone asks for.
// spec: MID-1
pub(crate) fn auth(arguments: &GuardArguments<'_>) -> Result<SignedIn> {
    let auth = Auth::of(arguments.services())?;
    let known = arguments.services().require::<Identifiers>()?;
    let ways = arguments.values().iter().map(|name| match name.trim() {
        "session" => Ok(Way::Session),
        "api-key" if !known.has("api-key") => with_api_keys(arguments, "auth:api-key").map(|_| Way::ApiKey),
        name => known.find(name).map(Way::OfApp),
    });
    let ways = ways.collect::<Result<Vec<_>>>()?;
    Ok(match ways.is_empty() {
        true => SignedIn { auth, name: "auth".into(), schemes: Vec::new(), ways: vec![Way::Session] },
        false => SignedIn {
            auth,
            name: format!("auth:{}", arguments.values().join(",")),
            schemes: ways.iter().flat_map(Way::schemes).copied().collect(),
            ways,
        },
    })
}

pub(crate) struct SignedIn {
    auth: Arc<Auth>,
    name: String,
    /// What the description of the API calls the ways.
    schemes: Vec<&'static str>,
    ways: Vec<Way>,
}

/// How somebody can be known.
enum Way {
    /// By a session of the engine's, or a bearer token.
    Session,
    /// By the key in a header.
    ApiKey,
    /// By what the app knows.
    OfApp(Identifier),
}

impl Way {
    fn schemes(&self) -> &[&'static str] {
        match self {
            Self::Session => &["bearer", "session"],
            Self::ApiKey => &["x-api-key"],
            Self::OfApp(_) => &[],
        }
    }

    async fn knows_somebody(&self, auth: &Auth) -> Result<bool> {
        match self {
            Self::Session => {
                Ok(Current::find().map(|current| current.known()).transpose()?.flatten().is_some())
            }
            Self::ApiKey => Ok(present::of_request(auth).await?.is_some()),
            Self::OfApp(identifier) => identifier.recognise().await,
        }
    }
}

impl Guard for SignedIn {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            // Whoever shows a key wants to be known by it, and hears of it if it is no good.
            let keys_first = |way: &&Way| !matches!(way, Way::ApiKey);
            let mut ways: Vec<_> = self.ways.iter().collect();
            ways.sort_by_key(keys_first);
            for way in ways {
                if way.knows_somebody(&self.auth).await? {
                    return Ok(next.run(request).await);
                }
            }
            // A script is not sent to a page where people sign in.
            match self.ways.iter().all(|way| matches!(way, Way::ApiKey)) {
                true => Err(Error::unauthenticated()),
                false => reject_guest(&self.auth),
            }
        })
    }

    fn security_schemes(&self) -> &[&'static str] {
        &self.schemes
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED]
    }
}

/// What a guest gets who is not let in.
pub(crate) fn reject_guest(auth: &Auth) -> Result<Response> {
    if wants_json() {
        return Err(Error::unauthenticated());
    }
    intended::remember();
    ended::remember()?;
    Ok(redirect(&auth.config().redirect_guests_to).status(StatusCode::FOUND).into_response())
}

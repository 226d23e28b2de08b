use std::sync::Arc;

use axum::response::IntoResponse;
use housekey_core::{Error, Result};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::response::redirect;
use housekey_http::{Guard, Next, Request, Response, wants_json};
use http::StatusCode;

use super::identifiers::{Identifier, Identifiers};
use super::intended;
use crate::current::Current;
use crate::{Auth, ended};

/// `auth`, or `auth:name` for a way of the app's own to know who is there.
// spec: MID-1
pub(crate) fn auth(arguments: &GuardArguments<'_>) -> Result<SignedIn> {
    let auth = Auth::of(arguments.services())?;
    let by = match arguments.get(0) {
        None => None,
        Some(name) => Some(arguments.services().require::<Identifiers>()?.find(name)?),
    };
    Ok(SignedIn { auth, by })
}

pub(crate) struct SignedIn {
    auth: Arc<Auth>,
    by: Option<Identifier>,
}

impl Guard for SignedIn {
    fn name(&self) -> String {
        "auth".into()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let someone = match &self.by {
                Some(by) => by.recognise().await?,
                None => Current::find().map(|current| current.known()).transpose()?.flatten().is_some(),
            };
            if someone { Ok(next.run(request).await) } else { turn_away(&self.auth) }
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED]
    }
}

/// What a guest gets who is not let in.
pub(crate) fn turn_away(auth: &Auth) -> Result<Response> {
    if wants_json() {
        return Err(Error::unauthenticated());
    }
    intended::remember();
    ended::remember()?;
    Ok(redirect(&auth.config().redirect_guests_to).status(StatusCode::FOUND).into_response())
}

use std::sync::Arc;

use axum::response::IntoResponse;
use housekey_core::Result;
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::response::redirect;
use housekey_http::{Guard, Next, Request};
use http::StatusCode;

use crate::accounts::is_adding_account;
use crate::{Auth, user};

/// `guest`: for those who are not signed in, or are about to sign in with [another account](crate::add_account).
// spec: MID-2
pub(crate) fn guest(arguments: &GuardArguments<'_>) -> Result<Guest> {
    Ok(Guest(Auth::of(arguments.services())?))
}

pub(crate) struct Guest(Arc<Auth>);

impl Guard for Guest {
    fn name(&self) -> String {
        "guest".into()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            if user().is_none() || is_adding_account(&self.0).await? {
                return Ok(next.run(request).await);
            }
            Ok(redirect(&self.0.config().redirect_members_to).status(StatusCode::FOUND).into_response())
        })
    }
}

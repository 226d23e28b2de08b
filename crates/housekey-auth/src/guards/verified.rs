use std::sync::Arc;

use axum::response::IntoResponse;
use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::response::redirect;
use housekey_http::{Guard, Next, Request, Response, wants_json};
use http::StatusCode;

use crate::Auth;
use crate::current::Current;

/// `verified`: for those whose address is proven. A guest has proven none.
// spec: MID-3
pub(crate) fn verified(arguments: &GuardArguments<'_>) -> Result<Verified> {
    Ok(Verified(Auth::of(arguments.services())?))
}

pub(crate) struct Verified(Arc<Auth>);

impl Guard for Verified {
    fn name(&self) -> String {
        "verified".into()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let who = Current::find().map(|current| current.known()).transpose()?.flatten();
            if who.is_some_and(|who| who.user.email_verified) {
                return Ok(next.run(request).await);
            }
            reject_unverified(&self.0)
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::FORBIDDEN]
    }
}

/// What somebody gets whose address is not proven.
pub(super) fn reject_unverified(auth: &Auth) -> Result<Response> {
    if wants_json() {
        return Err(unverified());
    }
    Ok(redirect(&auth.config().redirect_unverified_to).status(StatusCode::FOUND).into_response())
}

/// 403: the address is not proven.
pub(crate) fn unverified() -> Error {
    Error::forbidden(t("Your e-mail address is not verified.")).with_code("EMAIL_NOT_VERIFIED")
}

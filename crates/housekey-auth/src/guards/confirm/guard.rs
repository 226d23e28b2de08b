use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_engine::Session;
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::{Guard, Next, Request, RequestContext, Response};
use http::StatusCode;

use super::page::ConfirmForm;
use super::password::has_password;
use super::refused::Refused;
use super::window;
use crate::current::Current;
use crate::guards::auth::reject_guest;
use crate::{Auth, api};

/// `password.confirm`.
pub(crate) fn confirm(arguments: &GuardArguments<'_>) -> Result<Confirmed> {
    Ok(Confirmed(Auth::of(arguments.services())?))
}

pub(crate) struct Confirmed(Arc<Auth>);

impl Guard for Confirmed {
    fn name(&self) -> String {
        "password.confirm".into()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let Some(who) = Current::find().map(|current| current.known()).transpose()?.flatten() else {
                return reject_guest(&self.0);
            };
            match &who.session {
                Some(session) if window::is_open(&self.0, &api()?, &who.user, session).await? => {
                    Ok(next.run(request).await)
                }
                session => ask(session.as_deref(), request).await,
            }
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED, StatusCode::LOCKED]
    }
}

/// 423: as JSON, or as the page that asks for the password and can carry on from here.
pub(crate) async fn ask(session: Option<&Session>, request: Request) -> Result<Response> {
    let context = RequestContext::current()
        .ok_or_else(|| Error::internal("the guard password.confirm only works in front of a route"))?;
    if context.wants_json() {
        return Err(Error::locked());
    }
    // What another site may have sent must not be carried out by the visitor's password.
    let refused = match session {
        Some(session) if context.is_csrf_protected() => Refused::of(&context, &session.id, request).await,
        _ => None,
    };
    let sealed = refused.map(|refused| refused.encrypt()).transpose()?;
    let has_password = has_password().await?;
    Ok(ConfirmForm::new(sealed, None, has_password).answer(StatusCode::LOCKED).await)
}

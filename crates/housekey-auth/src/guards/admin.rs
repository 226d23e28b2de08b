use std::sync::Arc;

use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_engine::plugins::admin::is_admin;
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::{Guard, Next, Request};
use http::StatusCode;

use super::auth::reject_guest;
use crate::current::Current;
use crate::{Auth, Feature, OrHttpError};

/// `admin`: for admins, as the storage knows them at this moment. A role that was taken away a second ago opens nothing, also
/// where a copy of the session in a cookie still has it.
// spec: ADM-1
pub(crate) fn admin(arguments: &GuardArguments<'_>) -> Result<Admin> {
    let auth = Auth::of(arguments.services())?;
    if !auth.offers(Feature::Admin) {
        return Err(Error::internal(
            "the guard `admin` needs the plugin: add `admin(AdminOptions::default())` to `plugins` in config/auth.rs",
        ));
    }
    Ok(Admin(auth))
}

pub(crate) struct Admin(Arc<Auth>);

impl Guard for Admin {
    fn name(&self) -> String {
        "admin".into()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let Some(current) = Current::find() else { return reject_guest(&self.0) };
            // A store that could not be asked is a failure, not a guest.
            current.known()?;
            let mut api = current.api();
            let Some(stored) = api.stored_session().await.or_http_error()? else {
                return reject_guest(&self.0);
            };
            match is_admin(&api, &stored.user).or_http_error()? {
                true => Ok(next.run(request).await),
                false => Err(Error::forbidden(t("Only admins may see this.")).with_code("ADMIN_REQUIRED")),
            }
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN]
    }
}

use std::sync::Arc;

use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_engine::access::Permission;
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::{Guard, Next, Request};
use http::StatusCode;

use crate::api_key::{self, present};
use crate::{Auth, Feature};

/// `api-key:project.read`: for requests with a key that allows this. Several, of which all must be allowed: `api-key:project.read,project.write`.
// spec: KEY-4
pub(crate) fn api_key(arguments: &GuardArguments<'_>) -> Result<KeyAllows> {
    let auth = with_api_keys(arguments, "api-key")?;
    let names: Vec<String> = arguments.values().iter().map(|name| name.trim().to_owned()).collect();
    if names.is_empty() {
        return Err(Error::internal(
            "write what a key must allow, `api-key:project.read`; for any key that is good, `auth:api-key`",
        ));
    }
    let mut permission = Permission::default();
    for name in &names {
        match name.rsplit_once('.') {
            Some((resource, action)) if !resource.is_empty() && !action.is_empty() => {
                permission = permission.and(resource, [action]);
            }
            _ => {
                return Err(Error::internal(format!(
                    "`api-key:{name}` names no permission; write a resource and an action, `api-key:project.read`"
                )));
            }
        }
    }
    Ok(KeyAllows { auth, names, permission })
}

pub(crate) struct KeyAllows {
    auth: Arc<Auth>,
    names: Vec<String>,
    permission: Permission,
}

impl Guard for KeyAllows {
    fn name(&self) -> String {
        format!("api-key:{}", self.names.join(","))
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            let Some(shown) = present::of_request(&self.auth).await? else {
                return Err(Error::unauthenticated());
            };
            if shown.key.allows(&self.permission) {
                return Ok(next.run(request).await);
            }
            let denied = Error::forbidden(t("This API key does not allow that."));
            Err(denied.with_code(api_key::PERMISSION_REQUIRED))
        })
    }

    fn security_schemes(&self) -> &[&'static str] {
        &["x-api-key"]
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::TOO_MANY_REQUESTS]
    }
}

pub(super) fn with_api_keys(arguments: &GuardArguments<'_>, guard: &str) -> Result<Arc<Auth>> {
    let auth = Auth::of(arguments.services())?;
    match auth.offers(Feature::ApiKeys) {
        true => Ok(auth),
        false => Err(Error::internal(format!(
            "the guard `{guard}` needs the plugin: add `api_key(ApiKeyOptions::default())` to `plugins` in config/auth.rs"
        ))),
    }
}

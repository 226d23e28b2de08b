use std::sync::Arc;

use axum::response::IntoResponse;
use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_engine::plugins::organization::{OrganizationOptions, default_access};
use housekey_http::guard::{GuardArguments, GuardFuture};
use housekey_http::response::redirect;
use housekey_http::{Guard, Next, Request, Response, wants_json};
use http::StatusCode;

use super::auth::reject_guest;
use super::intended;
use crate::current::Current;
use crate::{Auth, Feature, organization};

/// `member`: for who is in an organisation.
// spec: ORG-4
pub(crate) fn member(arguments: &GuardArguments<'_>) -> Result<Member> {
    Ok(Member { auth: with_organizations(arguments, "member")?, roles: Vec::new() })
}

/// `role:owner`, `role:owner,admin`: for who has one of these roles in the organisation that they are in.
// spec: ORG-4
pub(crate) fn role(arguments: &GuardArguments<'_>) -> Result<Member> {
    let auth = with_organizations(arguments, "role")?;
    let roles: Vec<String> = arguments.values().iter().map(|name| name.trim().to_owned()).collect();
    if roles.iter().all(String::is_empty) {
        return Err(Error::internal(
            "write `role:owner`, or several of which one is enough: `role:owner,admin`",
        ));
    }
    check_names(&auth, &roles)?;
    Ok(Member { auth, roles })
}

pub(crate) struct Member {
    auth: Arc<Auth>,
    /// None: any role will do.
    roles: Vec<String>,
}

impl Guard for Member {
    fn name(&self) -> String {
        match self.roles.is_empty() {
            true => "member".into(),
            false => format!("role:{}", self.roles.join(",")),
        }
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            if Current::find().map(|current| current.known()).transpose()?.flatten().is_none() {
                return reject_guest(&self.auth);
            }
            let Some(active) = organization::known()? else { return send_to_choose(&self.auth) };
            if self.roles.is_empty() || self.roles.iter().any(|role| active.has_role(role)) {
                return Ok(next.run(request).await);
            }
            Err(Error::forbidden(t("Your role in the organization does not allow this."))
                .with_code("ROLE_REQUIRED"))
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN]
    }
}

/// What somebody gets who is in no organisation.
fn send_to_choose(auth: &Auth) -> Result<Response> {
    if wants_json() {
        return Err(organization::none_active());
    }
    intended::remember();
    Ok(redirect(&auth.config().redirect_without_organization_to).status(StatusCode::FOUND).into_response())
}

pub(super) fn with_organizations(arguments: &GuardArguments<'_>, guard: &str) -> Result<Arc<Auth>> {
    let auth = Auth::of(arguments.services())?;
    match auth.offers(Feature::Organizations) {
        true => Ok(auth),
        false => Err(Error::internal(format!(
            "the guard `{guard}` needs the plugin: add `organization(OrganizationOptions::default())` to `plugins` in \
             config/auth.rs"
        ))),
    }
}

/// A role that nobody can have would keep everybody out. Where organisations define roles themselves, any name may be one.
fn check_names(auth: &Auth, roles: &[String]) -> Result<()> {
    let Some(options) = auth.engine().plugins().state::<OrganizationOptions>("organization") else {
        return Ok(());
    };
    if options.dynamic_roles.is_some() {
        return Ok(());
    }
    let access = options.access.clone().unwrap_or_else(default_access);
    let Some(unknown) = roles.iter().find(|role| access.find(role).is_none()) else { return Ok(()) };
    let known: Vec<_> = access.names().collect();
    Err(Error::internal(format!(
        "{unknown:?} is no role in an organization; known are: {}",
        known.join(", ")
    )))
}

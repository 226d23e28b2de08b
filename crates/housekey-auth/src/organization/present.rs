use std::sync::Arc;

use housekey_core::translation::t;
use housekey_core::{Error, Result, Scope};
use housekey_engine::Api;
use housekey_engine::plugins::organization::{active_membership, member_roles};

use super::ActiveOrganization;
use crate::current::Current;
use crate::{Auth, Feature, session};

/// The field of a session that names it.
const FIELD: &str = "activeOrganizationId";

/// What was read for the present request.
enum Read {
    Active(Option<Arc<ActiveOrganization>>),
    /// Why it could not be read. Pages then see none; guards answer with this.
    Failed(String),
}

/// The organisation that the present request is for: the one that the session is in, if its user is a member still. `None` for a
/// guest, for who is in none, and outside a request.
///
/// It is read once, before the handler runs, and only for a session that is in one. After a change within the same request
/// (another one was chosen, created, joined), [`refresh_organization`] reads it again; until then there is none.
///
/// ```
/// use housekey_auth::organization;
/// use housekey_view::prelude::*;
///
/// fn corner() -> impl Renderable {
///     organization().map(|active| rsx! { <a href="/organizations">(active.name())</a> })
/// }
/// # assert_eq!(corner().render().into_inner(), "");
/// ```
// spec: ORG-3, ORG-4
pub fn organization() -> Option<Arc<ActiveOrganization>> {
    let read = Scope::read(Scope::get::<Read>).flatten()?;
    let Read::Active(Some(active)) = &*read else { return None };
    // The session may have moved on since, or be another one.
    let session = session()?;
    let is_there =
        session.fields.text(FIELD) == Some(active.id()) && session.user_id == active.member.user_id;
    is_there.then(|| Arc::clone(active))
}

/// The organisation that the present request is for, or an error: 401 for a guest, 403 `NO_ACTIVE_ORGANIZATION` for who is in
/// none. For code behind the guard `member`.
pub fn require_organization() -> Result<Arc<ActiveOrganization>> {
    if session().is_none() {
        return Err(Error::unauthenticated());
    }
    known()?.ok_or_else(none_active)
}

/// Reads the organisation again: after it changed within this request.
///
/// ```no_run
/// use housekey_auth::engine::plugins::organization::{OrganizationRef, set_active_organization};
/// use housekey_auth::{OrHttpError, api, refresh_organization};
///
/// # async fn switch(id: String) -> housekey_core::Result<()> {
/// set_active_organization(&mut api()?, Some(OrganizationRef::Id(&id))).await.or_http_error()?;
/// let now = refresh_organization().await?;
/// # drop(now); Ok(()) }
/// ```
pub async fn refresh_organization() -> Result<Option<Arc<ActiveOrganization>>> {
    if let Some(current) = Current::find() {
        read(&current).await;
    }
    known()
}

/// Reads it for the present request, if its session is in one.
pub(crate) async fn find_out(auth: &Auth) {
    if !auth.offers(Feature::Organizations) {
        return;
    }
    let in_one = |current: &Arc<Current>| {
        current.session().is_some_and(|session| session.fields.text(FIELD).is_some_and(|id| !id.is_empty()))
    };
    if let Some(current) = Current::find().filter(in_one) {
        read(&current).await;
    }
}

async fn read(current: &Current) {
    let read = match membership(&mut current.api()).await {
        Ok(active) => Read::Active(active.map(Arc::new)),
        Err(error) => {
            tracing::error!(%error, "which organisation somebody is in could not be found out");
            Read::Failed(error.to_string())
        }
    };
    Scope::read(|scope| scope.set(Arc::new(read)));
}

async fn membership(api: &mut Api) -> housekey_engine::Result<Option<ActiveOrganization>> {
    let Some(membership) = active_membership(api).await? else { return Ok(None) };
    let allowed = member_roles(api, &membership.member).await?;
    Ok(Some(ActiveOrganization::new(membership, allowed)))
}

/// The organisation, or the error that kept it from being known.
pub(crate) fn known() -> Result<Option<Arc<ActiveOrganization>>> {
    match Scope::read(Scope::get::<Read>).flatten().as_deref() {
        Some(Read::Failed(why)) => {
            Err(Error::internal(format!("which organisation somebody is in could not be found out: {why}")))
        }
        _ => Ok(organization()),
    }
}

/// 403: somebody who is in no organisation.
pub(crate) fn none_active() -> Error {
    Error::forbidden(t("You are not in an organization.")).with_code("NO_ACTIVE_ORGANIZATION")
}

//! What organisations have to do with sessions: each is in one of them, or in none.

use std::sync::Arc;

use super::Member;
use crate::storage::Filter;
use crate::{Api, Changes, Record, Result, Session, SignedIn, Value};

const ORGANIZATION: &str = "activeOrganizationId";
const TEAM: &str = "activeTeamId";
const LAST: &str = "lastOrganizationId";

/// The organisation that a session is in. Whether its user is a member still is for the storage to say.
pub(super) fn active_organization(signed_in: &SignedIn) -> Option<&str> {
    signed_in.session.fields.text(ORGANIZATION).filter(|id| !id.is_empty())
}

/// The team that a session is in.
pub(super) fn active_team(signed_in: &SignedIn) -> Option<&str> {
    signed_in.session.fields.text(TEAM).filter(|id| !id.is_empty())
}

/// Where a session will be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Place {
    pub(super) organization: Option<String>,
    pub(super) team: Option<String>,
}

impl Place {
    /// In no organisation.
    pub(super) const NOWHERE: Self = Self { organization: None, team: None };

    /// In an organisation, and in no team.
    pub(super) fn organization(id: impl Into<String>) -> Self {
        Self { organization: Some(id.into()), team: None }
    }

    pub(super) fn of(signed_in: &SignedIn) -> Self {
        Self {
            organization: active_organization(signed_in).map(str::to_owned),
            team: active_team(signed_in).map(str::to_owned),
        }
    }

    fn record(&self, api: &Api) -> Result<Record> {
        let record = Record::new().with(ORGANIZATION, self.organization.as_deref());
        Ok(match api.table("session")?.column(TEAM) {
            Some(_) => record.with(TEAM, self.team.as_deref()),
            None => record,
        })
    }
}

/// Adds to some changes that this session is somewhere else from now on. After the commit, [`moved`] tells the client.
pub(super) async fn move_in(
    api: &Api,
    changes: &mut Changes,
    signed_in: &SignedIn,
    place: &Place,
) -> Result<()> {
    let own = Filter::by("token", &signed_in.session.token);
    changes.update("session", own, place.record(api)?).await
}

/// Moves this session, remembers where its user was last, and tells the client.
pub(super) async fn go_to(api: &mut Api, signed_in: &SignedIn, place: &Place) -> Result<Arc<SignedIn>> {
    let mut changes = api.changes();
    move_in(api, &mut changes, signed_in, place).await?;
    let _ = changes.commit().await?;
    moved(api, signed_in, place).await
}

/// The same for whoever asked to be there: the cookie of the session is set again as well, as in the reference.
pub(super) async fn enter(api: &mut Api, signed_in: &SignedIn, place: &Place) -> Result<()> {
    let now = go_to(api, signed_in, place).await?;
    let forgotten = api.is_forgotten();
    api.hand_out(&now, forgotten).await;
    Ok(())
}

/// Lets the client know that its session was moved: the copy in its cookie is another one from now on. The organisation is
/// remembered for the next sign-in.
// spec: ORG-3
pub(super) async fn moved(api: &mut Api, signed_in: &SignedIn, place: &Place) -> Result<Arc<SignedIn>> {
    remember(api, signed_in, place.organization.as_deref()).await?;
    let mut session = Session::clone(&signed_in.session);
    session.updated_at = api.clock().now();
    session.fields.merge(place.record(api)?);
    let now = Arc::new(SignedIn::new(session, Arc::clone(&signed_in.user)));
    api.refresh_session(&now).await;
    Ok(now)
}

/// Straight to the storage: no hook is interested, and the row of the user has not changed for anybody who looks at it.
async fn remember(api: &Api, signed_in: &SignedIn, organization: Option<&str>) -> Result<()> {
    let user = &signed_in.user;
    // Whoever acts as somebody else decides nothing for them.
    if user.fields.text(LAST) == organization || signed_in.session.impersonated_by().is_some() {
        return Ok(());
    }
    let last = Record::new().with(LAST, organization);
    api.storage().update(api.table("user")?, &Filter::by("id", &user.id), &last).await?;
    Ok(())
}

/// Adds to some changes that no session of a user is in an organisation any more.
// spec: ORG-3
pub(super) async fn forget_in(
    api: &Api,
    changes: &mut Changes,
    organization_id: &str,
    user_id: &str,
) -> Result<()> {
    let there = Filter::by("userId", user_id).and_by(ORGANIZATION, organization_id);
    changes.update("session", there, Place::NOWHERE.record(api)?).await
}

/// After somebody lost an organisation: if it is whoever asked, and this session was in it, the client is told.
pub(super) async fn forgotten(
    api: &mut Api,
    signed_in: &SignedIn,
    organization_id: &str,
    user_id: &str,
) -> Result<()> {
    if signed_in.user.id == user_id && active_organization(signed_in) == Some(organization_id) {
        moved(api, signed_in, &Place::NOWHERE).await?;
    }
    Ok(())
}

/// Where a session that begins is: in the organisation that its user was in last, if they are a member still.
// spec: ORG-3
pub(super) async fn restored(api: &Api, user_id: &str) -> Result<Record> {
    let Some(user) = api.user(user_id).await? else { return Ok(Record::new()) };
    let Some(last) = user.fields.text(LAST).filter(|id| !id.is_empty()) else { return Ok(Record::new()) };
    Ok(match Member::of(api, last, user_id).await? {
        Some(_) => Record::new().with(ORGANIZATION, last),
        None => Record::new().with(ORGANIZATION, Value::Null),
    })
}

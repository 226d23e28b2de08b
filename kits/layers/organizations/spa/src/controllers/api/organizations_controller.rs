use housekey::prelude::*;
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::controllers::organizations::invitations::{self, waiting_invitations};
use crate::controllers::organizations::members::{self, members_page};
use crate::controllers::organizations::mine::{Mine, Received, mine, received};
use crate::controllers::organizations::standing::standing;

/// `GET /api/organizations`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationsAnswer {
    /// The id of the one that pages are about now, if one is chosen.
    pub active: Option<String>,
    /// All that whoever asks is in, by name.
    pub organizations: Vec<OrganizationRow>,
    /// What others have invited them to. None before their address is confirmed.
    pub invitations: Vec<ReceivedInvitation>,
}

/// One organisation of the list.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationRow {
    /// For going there.
    pub id: String,
    /// As its members call it.
    pub name: String,
    /// The short name, which no other has.
    pub slug: String,
}

/// An invitation that waits for whoever asks.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ReceivedInvitation {
    /// Its page is `/invitations/{id}`.
    pub id: String,
    /// The name of the organisation.
    pub organization: String,
    /// What they would be there.
    pub roles: Vec<String>,
    /// Until when it can be accepted.
    pub expires: String,
}

/// `GET /api/settings/organization`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct OrganizationAnswer {
    /// For the forms of the page: they name the one that they are about.
    pub id: String,
    /// As its members call it.
    pub name: String,
    /// The short name, which no other has.
    pub slug: String,
    /// What whoever asks is there.
    pub roles: Vec<String>,
    /// Whether they may change its names.
    pub may_update: bool,
    /// Whether they may delete it.
    pub may_delete: bool,
    /// Why they cannot leave, and what to do instead.
    pub why_not_leave: Option<String>,
}

/// Which members a page shows.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct MembersQuery {
    /// What the name or the address has in it.
    #[validate(max(100))]
    pub search: Option<String>,
    /// The first is 1.
    pub page: Option<u32>,
}

/// `GET /api/settings/organization/members`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MembersAnswer {
    /// The id of the organisation, for the forms of the page: they name the one that they are about.
    pub organization: String,
    /// Those on this page, the first ones first.
    pub members: Vec<MemberRow>,
    /// How many were found, on all pages.
    pub total: u64,
    /// Which page this is.
    pub page: u32,
    /// How many pages there are.
    pub pages: u64,
    /// Whether whoever asks may invite people.
    pub may_invite: bool,
    /// The roles that they may give, the mightiest first.
    pub roles: Vec<&'static str>,
}

/// Somebody in the organisation.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MemberRow {
    /// Of the membership, not of the person.
    pub id: String,
    /// What they call themselves.
    pub name: String,
    /// Where their mail goes.
    pub email: String,
    /// What they are here.
    pub roles: Vec<String>,
    /// When they came.
    pub since: String,
    /// Whether it is whoever asks.
    pub you: bool,
    /// Whether whoever asks may give them another role.
    pub may_change_role: bool,
    /// Whether whoever asks may remove them.
    pub may_remove: bool,
    /// Why neither is possible, where others could be changed.
    pub why_not: Option<String>,
}

/// `GET /api/settings/organization/invitations`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationsAnswer {
    /// The id of the organisation, for the forms of the page: they name the one that they are about.
    pub organization: String,
    /// Those that wait for an answer, the newest first. None for who may not invite.
    pub invitations: Vec<InvitationRow>,
    /// Whether whoever asks may send some.
    pub may_invite: bool,
    /// Whether they may take some back.
    pub may_cancel: bool,
    /// The roles that they may give, the mightiest first.
    pub roles: Vec<&'static str>,
}

/// An invitation that nobody has answered yet.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct InvitationRow {
    /// For sending it again and taking it back.
    pub id: String,
    /// Whom it is for.
    pub email: String,
    /// What they would be here.
    pub roles: Vec<String>,
    /// Until when it can be accepted.
    pub expires: String,
    /// Whether that is over.
    pub expired: bool,
    /// The page where it is accepted, to be sent by other means.
    pub link: String,
}

/// `GET /api/organizations`
pub async fn index() -> Result<Json<OrganizationsAnswer>> {
    let mine = mine().await?;
    Ok(Json(OrganizationsAnswer {
        active: mine.iter().find(|organization| organization.current).map(|current| current.id.clone()),
        organizations: mine.into_iter().map(OrganizationRow::from).collect(),
        invitations: received().await?.into_iter().map(ReceivedInvitation::from).collect(),
    }))
}

/// `GET /api/settings/organization`
pub async fn show() -> Result<Json<OrganizationAnswer>> {
    let standing = standing().await?;
    Ok(Json(OrganizationAnswer {
        why_not_leave: standing.why_not_leave(),
        id: standing.id,
        name: standing.name,
        slug: standing.slug,
        roles: each(&standing.role),
        may_update: standing.may_update,
        may_delete: standing.may_delete,
    }))
}

/// `GET /api/settings/organization/members`
pub async fn members(ValidQuery(query): ValidQuery<MembersQuery>) -> Result<Json<MembersAnswer>> {
    let standing = standing().await?;
    let search = query.search.unwrap_or_default();
    let found = members_page(&standing, &search, query.page.unwrap_or(1)).await?;
    Ok(Json(MembersAnswer {
        members: found.members.into_iter().map(MemberRow::from).collect(),
        total: found.total,
        page: found.page,
        pages: found.pages,
        may_invite: standing.may_invite,
        roles: standing.roles(),
        organization: standing.id,
    }))
}

/// `GET /api/settings/organization/invitations`
pub async fn invitations() -> Result<Json<InvitationsAnswer>> {
    let standing = standing().await?;
    // Who is invited is the business of those who invite.
    let waiting = if standing.may_invite { waiting_invitations().await? } else { Vec::new() };
    Ok(Json(InvitationsAnswer {
        invitations: waiting.into_iter().map(InvitationRow::from).collect(),
        may_invite: standing.may_invite,
        may_cancel: standing.may_cancel_invitations,
        roles: standing.roles(),
        organization: standing.id,
    }))
}

impl From<Mine> for OrganizationRow {
    fn from(mine: Mine) -> Self {
        Self { id: mine.id, name: mine.name, slug: mine.slug }
    }
}

impl From<Received> for ReceivedInvitation {
    fn from(received: Received) -> Self {
        Self {
            id: received.id,
            organization: received.organization,
            roles: each(&received.role),
            expires: rfc3339(received.expires),
        }
    }
}

impl From<members::MemberRow> for MemberRow {
    fn from(member: members::MemberRow) -> Self {
        Self {
            id: member.id,
            name: member.name,
            email: member.email,
            roles: each(&member.role),
            since: rfc3339(member.since),
            you: member.is_you,
            may_change_role: member.may_change_role,
            may_remove: member.may_remove,
            why_not: member.why_not,
        }
    }
}

impl From<invitations::InvitationRow> for InvitationRow {
    fn from(invitation: invitations::InvitationRow) -> Self {
        Self {
            id: invitation.id,
            email: invitation.email,
            roles: each(&invitation.role),
            expires: rfc3339(invitation.expires),
            expired: invitation.is_expired,
            link: invitation.link,
        }
    }
}

/// Somebody can have several roles; they are kept with commas between them.
pub(super) fn each(roles: &str) -> Vec<String> {
    roles.split(',').filter(|role| !role.is_empty()).map(str::to_owned).collect()
}

fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}

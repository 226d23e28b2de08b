use housekey::auth::{Feature, offers};
use housekey::axum::extract::Query;
use housekey::prelude::*;
use serde::Deserialize;

use super::moment::{moment, until};
use super::{member_of, private, shortest_password};
use crate::controllers::organizations::invitations::waiting_invitations;
use crate::controllers::organizations::invited::{InvitedPage, Visitor, invited_page};
use crate::controllers::organizations::members::members_page;
use crate::controllers::organizations::mine::{mine, received};
use crate::controllers::organizations::received_invitations_controller::MailedLink;
use crate::controllers::organizations::roles::{role_name, role_text};
use crate::controllers::organizations::standing::standing;
use crate::views::components::RoleOption;
use crate::views::pages::organizations as pages;
use crate::views::pages::organizations::{
    Choose, Create, General, Invitation, InvitationRow, Invitations, MemberRow, Members, ReceivedRow, Welcome,
};

/// Which members a page shows.
#[derive(Deserialize)]
pub struct Search {
    /// What the name or the address must have in it.
    #[serde(default)]
    q: String,
    /// The first is 1.
    page: Option<String>,
}

/// `GET /organizations`: also where who has chosen none is sent.
pub async fn choose(CurrentUser(user): CurrentUser) -> Result<View> {
    let received = received().await?.into_iter().map(|received| ReceivedRow {
        id: received.id,
        organization: received.organization,
        role: role_name(&received.role),
        expires: until(received.expires),
    });
    let props =
        Choose { member: member_of(&user), organizations: mine().await?, received: received.collect() };
    Ok(private(view(pages::choose(&props))))
}

/// `GET /organizations/create`
pub async fn create(CurrentUser(user): CurrentUser) -> View {
    private(view(pages::create(&Create { member: member_of(&user) })))
}

/// `GET /settings/organization`
pub async fn general(CurrentUser(user): CurrentUser) -> Result<View> {
    let props = General { member: member_of(&user), standing: standing().await? };
    Ok(private(view(pages::general(&props))))
}

/// `GET /settings/organization/members?q=…&page=…`
pub async fn members(CurrentUser(user): CurrentUser, Query(search): Query<Search>) -> Result<View> {
    let standing = standing().await?;
    let page = search.page.and_then(|page| page.parse().ok()).unwrap_or(1);
    let found = members_page(&standing, &search.q, page).await?;
    let rows = found.members.into_iter().map(|member| MemberRow {
        role_name: role_name(&member.role),
        since: moment(member.since),
        id: member.id,
        name: member.name,
        email: member.email,
        role: member.role,
        is_you: member.is_you,
        may_change_role: member.may_change_role,
        may_remove: member.may_remove,
        why_not: member.why_not,
    });
    Ok(private(view(pages::members(&Members {
        member: member_of(&user),
        roles: roles(&standing.roles()),
        standing,
        rows: rows.collect(),
        search: search.q.trim().to_owned(),
        total: found.total,
        page: found.page.into(),
        pages: found.pages,
    }))))
}

/// `GET /settings/organization/invitations`
pub async fn invitations(CurrentUser(user): CurrentUser) -> Result<View> {
    let standing = standing().await?;
    let waiting = if standing.may_invite { waiting_invitations().await? } else { Vec::new() };
    let rows = waiting.into_iter().map(|invitation| InvitationRow {
        role: role_name(&invitation.role),
        expires: until(invitation.expires),
        id: invitation.id,
        email: invitation.email,
        is_expired: invitation.is_expired,
        link: invitation.link,
    });
    Ok(private(view(pages::invitations(&Invitations {
        member: member_of(&user),
        roles: roles(&standing.roles()),
        rows: rows.collect(),
        standing,
    }))))
}

/// `GET /invitations/{id}?token=…`: shows; the invitation is spent by the button.
pub async fn invitation(Path(id): Path<String>, Query(link): Query<MailedLink>) -> Result<View> {
    let token = link.token.filter(|token| !token.is_empty());
    let InvitedPage::Open { invitation, visitor } = invited_page(&id, token.as_deref()).await? else {
        let props = Invitation::Gone { signed_in: user().is_some() };
        return Ok(private(view(pages::invitation(&props)).status(StatusCode::NOT_FOUND)));
    };
    let welcome = Welcome {
        id,
        token,
        email: invitation.email,
        organization: invitation.organization_name,
        inviter: invitation.inviter_name,
        role: role_name(&invitation.role),
        expires: until(invitation.expires_at),
    };
    let props = match visitor {
        Visitor::Guest => Invitation::Guest {
            welcome,
            sign_up_open: offers(Feature::SignUp) && offers(Feature::Password),
            min_password_length: shortest_password()?,
        },
        Visitor::Recipient => Invitation::Recipient { welcome },
        Visitor::Somebody(email) => Invitation::Somebody { welcome, email },
    };
    Ok(private(view(pages::invitation(&props))))
}

fn roles(names: &[&'static str]) -> Vec<RoleOption> {
    let roles =
        names.iter().map(|role| RoleOption { id: role, name: role_name(role), text: role_text(role) });
    roles.collect()
}

use serde::Serialize;

use super::super::members::seats;
use super::super::session::Place;
use super::super::{
    ATTEMPTS, EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION, INVITATION_NOT_FOUND,
    Invitation, InvitationHook, InvitationStatus, Member, USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
    caller, events, fields, hooks, session, teams, too_busy,
};
use super::{recipient, view};
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, User, Value};

/// `POST /organization/accept-invitation`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/accept-invitation", |api| Box::pin(answer(api)))
        .about("Makes whoever is signed in a member by an invitation to their address.")
        .takes([Field::text("invitationId")])
        .answers(Shape::object([Field::row("invitation", "invitation"), Field::row("member", "member")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body {
        invitation: Record,
        member: Record,
    }
    let mut body = api.request().read_body();
    let id = body.text("invitationId");
    body.finish()?;
    let (invitation, member) = accept_invitation(api, &id).await?;
    let member = fields::view(api, "member", &member.to_record())?;
    Reply::json(&Body { invitation: view(api, &invitation)?, member })
}

/// Makes whoever is signed in a member by an invitation that was sent to their address. It is spent with it: of two who try, one
/// is let in. Their session is in the organisation from then on.
// spec: ORG-2 ORG-5
pub async fn accept_invitation(api: &mut Api, id: &str) -> Result<(Invitation, Member)> {
    let signed_in = caller::signed_in(api).await?;
    let options = super::super::options(api)?;
    let user = User::clone(&signed_in.user);
    let mut asked = false;
    for _ in 0..ATTEMPTS {
        let invitation = Invitation::with_id(api, id).await?;
        let invitation = invitation.filter(|invitation| invitation.is_open(api.clock().now()));
        let mut invitation = invitation.ok_or_else(|| INVITATION_NOT_FOUND.bad_request())?;
        let unproven = EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION;
        recipient::check(api, &options, &invitation, &user, unproven)?;
        let organization = recipient::organization(api, &invitation).await?;
        recipient::inviter(api, &invitation).await?;
        if Member::of(api, &organization.id, &user.id).await?.is_some() {
            return Err(USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION.bad_request());
        }
        let mut changes = api.changes();
        seats::take_one_in(api, &options, &mut changes, &organization, &user).await?;
        let hook = |invitation: &Invitation, member: Option<&Member>| InvitationHook {
            organization: organization.clone(),
            invitation: invitation.clone(),
            user: user.clone(),
            member: member.cloned(),
        };
        if !asked {
            hooks::ask(&options.hooks.before_accept_invitation, hook(&invitation, None)).await?;
            asked = true;
        }
        let open = Filter::by("id", &invitation.id).and_by("status", InvitationStatus::Pending.name());
        invitation.status = InvitationStatus::Accepted;
        let spent = Record::new().with("status", invitation.status.name()).with("pendingKey", Value::Null);
        changes.update_expecting("invitation", open, spent).await?;
        let row = Record::new()
            .with("organizationId", &organization.id)
            .with("userId", &user.id)
            .with("role", invitation.role.as_deref().filter(|role| !role.is_empty()).unwrap_or("member"))
            .with("createdAt", api.clock().now());
        let member = Member::from_record(changes.create("member", row).await?)?;
        let team_ids: Vec<_> = invitation.team_ids().map(str::to_owned).collect();
        let joined = teams::join_invited_in(api, &mut changes, &organization, &team_ids, &user).await?;
        let mut place = Place::organization(&organization.id);
        if let [team] = joined.as_slice() {
            place.team = Some(team.id.clone());
        }
        session::move_in(api, &mut changes, &signed_in, &place).await?;
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        session::moved(api, &signed_in, &place).await?;
        let kind = SecurityEventKind::InvitationAccepted;
        let event = events::event(api, kind, &user.id, &organization.id, None);
        api.emit(event.with("role", &member.role).with("by", &invitation.inviter_id)).await;
        let told = hook(&invitation, Some(&member));
        options.hooks.after_accept_invitation.call_or_log("afterAcceptInvitation", told).await;
        return Ok((invitation, member));
    }
    Err(too_busy())
}

use http::StatusCode;
use serde::Serialize;

use super::super::{
    EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION, INVITATION_NOT_FOUND, Invitation,
    InvitationHook, InvitationStatus, caller, hooks,
};
use super::{recipient, view};
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, Shape, User, Value};

/// `POST /organization/reject-invitation`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/reject-invitation", |api| Box::pin(answer(api)))
        .about("Says no to an invitation.")
        .takes([Field::text("invitationId")])
        .answers(Shape::object([Field::row("invitation", "invitation"), Field::new("member", Shape::null())]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body {
        invitation: Record,
        member: (),
    }
    let mut body = api.request().read_body();
    let id = body.text("invitationId");
    body.finish()?;
    let invitation = reject_invitation(api, &id).await?;
    Reply::json(&Body { invitation: view(api, &invitation)?, member: () })
}

/// Says no to an invitation, for whoever it was sent to.
pub async fn reject_invitation(api: &mut Api, id: &str) -> Result<Invitation> {
    let signed_in = caller::signed_in(api).await?;
    let options = super::super::options(api)?;
    let gone = || INVITATION_NOT_FOUND.saying(StatusCode::BAD_REQUEST, "Invitation not found!");
    let invitation = Invitation::with_id(api, id).await?;
    let invitation = invitation.filter(|invitation| invitation.status == InvitationStatus::Pending);
    let mut invitation = invitation.ok_or_else(gone)?;
    let unproven = EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION;
    recipient::check(api, &options, &invitation, &signed_in.user, unproven)?;
    let organization = recipient::organization(api, &invitation).await?;
    let hook = |invitation: &Invitation| InvitationHook {
        organization: organization.clone(),
        invitation: invitation.clone(),
        user: User::clone(&signed_in.user),
        member: None,
    };
    hooks::ask(&options.hooks.before_reject_invitation, hook(&invitation)).await?;
    let mut changes = api.changes();
    let open = Filter::by("id", &invitation.id).and_by("status", InvitationStatus::Pending.name());
    invitation.status = InvitationStatus::Rejected;
    let spent = Record::new().with("status", invitation.status.name()).with("pendingKey", Value::Null);
    changes.update_expecting("invitation", open, spent).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(gone());
    }
    options.hooks.after_reject_invitation.call_or_log("afterRejectInvitation", hook(&invitation)).await;
    Ok(invitation)
}

use super::super::{
    INVITATION_NOT_FOUND, Invitation, InvitationHook, InvitationStatus, MEMBER_NOT_FOUND, Member,
    YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION, caller, hooks,
};
use super::{recipient, view};
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, Shape, User, Value};

/// `POST /organization/cancel-invitation`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/cancel-invitation", |api| Box::pin(answer(api)))
        .about("Takes an invitation back, for a member who may.")
        .takes([Field::text("invitationId")])
        .answers(Shape::row("invitation"))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = body.text("invitationId");
    body.finish()?;
    let invitation = cancel_invitation(api, &id).await?;
    Reply::json(&view(api, &invitation)?)
}

/// Takes an invitation back, for a member who may. Whoever has accepted it is a member still.
pub async fn cancel_invitation(api: &mut Api, id: &str) -> Result<Invitation> {
    let signed_in = caller::signed_in(api).await?;
    let options = super::super::options(api)?;
    let invitation = Invitation::with_id(api, id).await?;
    let mut invitation = invitation.ok_or_else(|| INVITATION_NOT_FOUND.bad_request())?;
    let member = Member::of(api, &invitation.organization_id, &signed_in.user.id).await?;
    let member = member.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION;
    caller::require(api, &member, "invitation", "cancel", denied).await?;
    let organization = recipient::organization(api, &invitation).await?;
    let hook = |invitation: &Invitation| InvitationHook {
        organization: organization.clone(),
        invitation: invitation.clone(),
        user: User::clone(&signed_in.user),
        member: Some(member.clone()),
    };
    hooks::ask(&options.hooks.before_cancel_invitation, hook(&invitation)).await?;
    let mut changes = api.changes();
    invitation.status = InvitationStatus::Canceled;
    let spent = Record::new().with("status", invitation.status.name()).with("pendingKey", Value::Null);
    changes.update_expecting("invitation", Filter::by("id", &invitation.id), spent).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(INVITATION_NOT_FOUND.bad_request());
    }
    options.hooks.after_cancel_invitation.call_or_log("afterCancelInvitation", hook(&invitation)).await;
    Ok(invitation)
}

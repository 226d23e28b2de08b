use serde_json::Value as Json;
use time::Duration;

use super::super::caller::Caller;
use super::super::members::{roles, with_user};
use super::super::{
    ATTEMPTS, INVALID_TEAM_ID, INVITATION_LIMIT_REACHED, Invitation, InvitationHook, InvitationMail,
    InvitationStatus, MEMBER_NOT_FOUND, Member, ORGANIZATION_NOT_FOUND, Organization, OrganizationOptions,
    OrganizationRef, ROLE_NOT_FOUND, USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION,
    USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE,
    YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION, caller, events, fields, hooks, teams, too_busy,
};
use super::view;
use crate::storage::{Comparison, Filter, Find};
use crate::{
    Api, Changes, Commit, Endpoint, Field, OptimisticLock, Reader, Record, Reply, Result, SecurityEventKind,
    Shape, User, Value,
};

/// An invitation that somebody wants to send.
#[derive(Clone, Debug)]
pub struct NewInvitation<'a> {
    pub email: String,
    pub roles: Vec<String>,
    pub organization: OrganizationRef<'a>,
    /// Whether an invitation that waits is sent once more, and waits longer. It keeps its id and its role.
    pub resend: bool,
    /// The teams that they will be in.
    pub team_ids: Vec<String>,
    /// Columns of the app's own.
    pub fields: Record,
}

/// `POST /organization/invite-member`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/invite-member", |api| Box::pin(answer(api)))
        .about(
            "Invites somebody by address, for a member who may. The answer is the same whether \
             they have an account or not.",
        )
        .takes([
            Field::email("email"),
            Field::new("role", Shape::one_of([Shape::text(), Shape::list(Shape::text())])).example("member"),
            Field::text("organizationId").optional().about("The active one by itself."),
            Field::boolean("resend").optional(),
            Field::new("teamId", Shape::one_of([Shape::text(), Shape::list(Shape::text())])).optional(),
        ])
        .answers(Shape::row("invitation"))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let email = body.text("email");
    let roles = roles::read(&mut body);
    let id = body.optional_text("organizationId");
    let resend = body.optional_bool("resend").unwrap_or(false);
    let team_ids = read_teams(&mut body);
    let sent = body.all();
    body.finish()?;
    let fields = fields::input(api, "invitation", &sent, "body", true)?;
    let organization = OrganizationRef::named(id.as_deref(), None);
    let new = NewInvitation { email, roles, organization, resend, team_ids, fields };
    let invitation = invite_member(api, new).await?;
    Reply::json(&view(api, &invitation)?)
}

fn read_teams(body: &mut Reader<'_>) -> Vec<String> {
    match body.all().get("teamId") {
        None => Vec::new(),
        Some(Json::String(_)) => vec![body.text("teamId")],
        Some(_) => body.optional_texts("teamId").unwrap_or_default(),
    }
}

/// What the lock on the invitations of an organisation is called.
pub(in super::super) fn lock_name(organization_id: &str) -> String {
    format!("organization-invitations:{organization_id}")
}

/// Invites somebody by address, for a member who may. The answer is the same whether they have an account or not.
// spec: ORG-2 ORG-5
pub async fn invite_member(api: &mut Api, new: NewInvitation<'_>) -> Result<Invitation> {
    let signed_in = caller::signed_in(api).await?;
    let email = new.email.to_lowercase();
    api.check_email(&email)?;
    let options = super::super::options(api)?;
    let nowhere = || ORGANIZATION_NOT_FOUND.bad_request();
    let id = new.organization.id(api, &signed_in).await?.ok_or_else(nowhere)?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    let member = member.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
    let organization = Organization::with_id(api, &id).await?.ok_or_else(nowhere)?;
    let caller = Caller { signed_in, organization, member };
    let role = check(api, &options, &caller, &new.roles).await?;
    refuse_member(api, &caller, &email).await?;
    if new.resend
        && let Some(invitation) = waiting(api, &caller.organization.id, &email).await?.pop()
    {
        return resend(api, &options, &caller, invitation).await;
    }
    if let Some(wrong) = new.team_ids.iter().find(|id| id.is_empty() || id.contains(',')) {
        tracing::debug!(team = wrong, "an invitation names what is no id of a team");
        return Err(INVALID_TEAM_ID.bad_request());
    }
    teams::check_invited(api, &caller.organization, &caller.signed_in.user, &new.team_ids).await?;
    let mut invitation = draft(api, &options, &caller, &email, &role, &new).await?;
    let mut asked = false;
    for _ in 0..ATTEMPTS {
        let mut changes = api.changes();
        let earlier = waiting(api, &caller.organization.id, &email).await?;
        if !earlier.is_empty() && !options.cancel_pending_invitations_on_re_invite {
            return Err(USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION.bad_request());
        }
        take_turn_in(api, &options, &mut changes, &caller, earlier.len()).await?;
        if !asked {
            asked = true;
            invitation = ask(&options, &caller, invitation).await?;
        }
        make_room_in(api, &mut changes, &invitation, &earlier).await?;
        let mut row = invitation.to_record();
        if api.table("invitation")?.column("teamId").is_none() {
            row.take("teamId");
        }
        row.set("pendingKey", Invitation::pending_key(&invitation.organization_id, &invitation.email));
        let invitation = Invitation::from_record(changes.create("invitation", row).await?)?;
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        sent(api, &options, &caller, &invitation, false).await?;
        let told = hook(&caller, &invitation);
        options.hooks.after_create_invitation.call_or_log("afterCreateInvitation", told).await;
        return Ok(invitation);
    }
    Err(too_busy())
}

/// Whether the caller may invite somebody with these roles; gives the roles as the column holds them.
async fn check(
    api: &Api,
    options: &OrganizationOptions,
    caller: &Caller,
    wanted: &[String],
) -> Result<String> {
    let role = roles::joined(wanted);
    if role.is_empty() {
        return Err(ROLE_NOT_FOUND.bad_request());
    }
    let (organization, member) = (&caller.organization, &caller.member);
    roles::check(api, options, &organization.id, &role, roles::unknown_without_code).await?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION;
    caller::require(api, member, "invitation", "create", denied).await?;
    if options.names_owner(&role) && !options.is_owner(member) {
        return Err(YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE.forbidden());
    }
    Ok(role)
}

async fn refuse_member(api: &Api, caller: &Caller, email: &str) -> Result<()> {
    let Some(user) = api.user_by_email(email).await? else { return Ok(()) };
    match Member::of(api, &caller.organization.id, &user.id).await? {
        Some(_) => Err(USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION.bad_request()),
        None => Ok(()),
    }
}

/// The open invitations of an address. There is one at most, unless a JavaScript deployment wrote them.
async fn waiting(api: &Api, organization_id: &str, email: &str) -> Result<Vec<Invitation>> {
    let open = Filter::by("organizationId", organization_id)
        .and_by("email", email)
        .and_by("status", InvitationStatus::Pending.name())
        .and("expiresAt", Comparison::Greater, api.clock().now());
    let rows = api.storage().find(api.table("invitation")?, &Find::new(open)).await?;
    rows.into_iter().map(Invitation::from_record).collect()
}

async fn draft(
    api: &Api,
    options: &OrganizationOptions,
    caller: &Caller,
    email: &str,
    role: &str,
    new: &NewInvitation<'_>,
) -> Result<Invitation> {
    let now = api.clock().now();
    Ok(Invitation {
        id: api.new_id("invitation").await?,
        organization_id: caller.organization.id.clone(),
        email: email.to_owned(),
        role: Some(role.to_owned()),
        team_id: (!new.team_ids.is_empty()).then(|| new.team_ids.join(",")),
        status: InvitationStatus::Pending,
        expires_at: now + Duration::seconds(i64::from(options.invitation_expires_in)),
        created_at: now,
        inviter_id: caller.signed_in.user.id.clone(),
        fields: new.fields.clone(),
    })
}

async fn ask(options: &OrganizationOptions, caller: &Caller, invitation: Invitation) -> Result<Invitation> {
    let wanted = hooks::ask(&options.hooks.before_create_invitation, hook(caller, &invitation)).await?;
    invitation.changed(wanted)
}

/// Adds to the changes what makes sure that not more invitations wait than may. Those whose place it takes do not count.
async fn take_turn_in(
    api: &Api,
    options: &OrganizationOptions,
    changes: &mut Changes,
    caller: &Caller,
    replaced: usize,
) -> Result<()> {
    let (organization, user) = (&caller.organization, &caller.signed_in.user);
    let Some(limit) = options.invitation_limit.number(Some(user), Some(organization)).await? else {
        return Ok(());
    };
    let lock = OptimisticLock::read(api, lock_name(&organization.id)).await?;
    let open = Filter::by("organizationId", &organization.id)
        .and_by("status", InvitationStatus::Pending.name())
        .and("expiresAt", Comparison::Greater, api.clock().now());
    let count = api.storage().count(api.table("invitation")?, &open).await?;
    if count.saturating_sub(replaced as u64) >= limit {
        return Err(INVITATION_LIMIT_REACHED.forbidden());
    }
    lock.write_in(changes).await
}

/// Adds to the changes the end of what stands in the way: invitations that this one replaces, one that has run out, and one that
/// somebody else has answered.
async fn make_room_in(
    api: &Api,
    changes: &mut Changes,
    invitation: &Invitation,
    earlier: &[Invitation],
) -> Result<()> {
    for one in earlier {
        let still = Filter::by("id", &one.id).and_by("status", InvitationStatus::Pending.name());
        let canceled =
            Record::new().with("status", InvitationStatus::Canceled.name()).with("pendingKey", Value::Null);
        changes.update_expecting("invitation", still, canceled).await?;
    }
    let key = Invitation::pending_key(&invitation.organization_id, &invitation.email);
    let keeps_nothing = || Record::new().with("pendingKey", Value::Null);
    let run_out = Filter::by("pendingKey", &key).and("expiresAt", Comparison::LessOrEqual, api.clock().now());
    changes.update("invitation", run_out, keeps_nothing()).await?;
    // A JavaScript deployment that shares the database answers an invitation and knows nothing of the key.
    let answered =
        Filter::by("pendingKey", &key).and("status", Comparison::NotEqual, InvitationStatus::Pending.name());
    changes.update("invitation", answered, keeps_nothing()).await
}

async fn resend(
    api: &Api,
    options: &OrganizationOptions,
    caller: &Caller,
    mut invitation: Invitation,
) -> Result<Invitation> {
    invitation.expires_at = api.clock().now() + Duration::seconds(i64::from(options.invitation_expires_in));
    let still = Filter::by("id", &invitation.id).and_by("status", InvitationStatus::Pending.name());
    let mut changes = api.changes();
    let longer = Record::new().with("expiresAt", invitation.expires_at);
    changes.update_expecting("invitation", still, longer).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(super::super::INVITATION_NOT_FOUND.bad_request());
    }
    sent(api, options, caller, &invitation, true).await?;
    Ok(invitation)
}

/// Mails an invitation and tells that it was sent. An address is not sent more than the options allow, whoever invites it.
async fn sent(
    api: &Api,
    options: &OrganizationOptions,
    caller: &Caller,
    invitation: &Invitation,
    resent: bool,
) -> Result<()> {
    let user = &caller.signed_in.user;
    let kind = SecurityEventKind::InvitationSent;
    let event = events::event(api, kind, &user.id, &caller.organization.id, None);
    let event = event.with("role", invitation.role.as_deref());
    api.emit(if resent { event.with("resent", true) } else { event }).await;
    if !options.send_invitation.is_set()
        || !api.may_mail("invitation", &invitation.email, options.invitation_expires_in).await
    {
        return Ok(());
    }
    let Some(inviter) = with_user(api, caller.member.clone()).await? else { return Ok(()) };
    let mail = InvitationMail {
        invitation: invitation.clone(),
        organization: caller.organization.clone(),
        inviter,
        resent,
    };
    api.send("sendInvitation", &options.send_invitation, mail).await;
    Ok(())
}

fn hook(caller: &Caller, invitation: &Invitation) -> InvitationHook {
    InvitationHook {
        organization: caller.organization.clone(),
        invitation: invitation.clone(),
        user: User::clone(&caller.signed_in.user),
        member: None,
    }
}

use super::{Invitation, Member, Organization, Team, TeamMember};
use crate::{ApiError, BoxError, Callback, Record, Result, User};

/// Functions called before and after what happens in organisations.
///
/// A function that is called before may refuse with an error, which is the answer if it is an [`ApiError`], or give fields
/// that are written instead. One that is called after is told what has happened: that it failed is logged.
///
/// ```
/// use housekey_engine::plugins::organization::{OrganizationHook, OrganizationHooks};
/// use housekey_engine::{ApiError, Callback};
/// use http::StatusCode;
///
/// let hooks = OrganizationHooks {
///     before_create_organization: Callback::new(|hook: OrganizationHook| async move {
///         match hook.organization.slug.starts_with("admin") {
///             true => Err(ApiError::message_only(StatusCode::BAD_REQUEST, "That slug is ours")),
///             false => Ok(None),
///         }
///     }),
///     ..Default::default()
/// };
/// # let _ = hooks;
/// ```
#[derive(Clone, Debug, Default)]
pub struct OrganizationHooks {
    pub before_create_organization: Before<OrganizationHook>,
    pub after_create_organization: Callback<OrganizationHook>,
    pub before_update_organization: Before<OrganizationHook>,
    pub after_update_organization: Callback<OrganizationHook>,
    pub before_delete_organization: Before<OrganizationHook>,
    pub after_delete_organization: Callback<OrganizationHook>,
    pub before_add_member: Before<MemberHook>,
    pub after_add_member: Callback<MemberHook>,
    pub before_remove_member: Before<MemberHook>,
    pub after_remove_member: Callback<MemberHook>,
    pub before_update_member_role: Before<MemberHook>,
    pub after_update_member_role: Callback<MemberHook>,
    pub before_create_invitation: Before<InvitationHook>,
    pub after_create_invitation: Callback<InvitationHook>,
    pub before_accept_invitation: Before<InvitationHook>,
    pub after_accept_invitation: Callback<InvitationHook>,
    pub before_reject_invitation: Before<InvitationHook>,
    pub after_reject_invitation: Callback<InvitationHook>,
    pub before_cancel_invitation: Before<InvitationHook>,
    pub after_cancel_invitation: Callback<InvitationHook>,
    pub before_create_team: Before<TeamHook>,
    pub after_create_team: Callback<TeamHook>,
    pub before_update_team: Before<TeamHook>,
    pub after_update_team: Callback<TeamHook>,
    pub before_delete_team: Before<TeamHook>,
    pub after_delete_team: Callback<TeamHook>,
    pub before_add_team_member: Before<TeamMemberHook>,
    pub after_add_team_member: Callback<TeamMemberHook>,
    pub before_remove_team_member: Before<TeamMemberHook>,
    pub after_remove_team_member: Callback<TeamMemberHook>,
}

/// A function that is asked first: it refuses, or gives fields to write instead, or nothing.
pub type Before<H> = Callback<H, Option<Record>>;

/// Something happens to an organisation.
#[derive(Clone, Debug)]
pub struct OrganizationHook {
    /// The organisation; before it is created, as it will be.
    pub organization: Organization,
    /// Who does it.
    pub user: User,
    /// Whoever created it, as its first member.
    pub member: Option<Member>,
    /// The fields that change, when it is updated.
    pub changes: Record,
}

/// Something happens to a member.
#[derive(Clone, Debug)]
pub struct MemberHook {
    pub organization: Organization,
    /// The member; before they are one, as they will be. Their role is the one they had until now, before and after.
    pub member: Member,
    pub user: User,
    /// The role that they get, when it is about that.
    pub new_role: Option<String>,
}

/// Something happens to an invitation.
#[derive(Clone, Debug)]
pub struct InvitationHook {
    pub organization: Organization,
    /// The invitation; before it is created, as it will be.
    pub invitation: Invitation,
    /// Who does it: whoever invites or cancels, or whoever accepts or rejects.
    pub user: User,
    /// Whoever accepted, as a member.
    pub member: Option<Member>,
}

/// Something happens to a team.
#[derive(Clone, Debug)]
pub struct TeamHook {
    pub organization: Organization,
    /// The team; before it is created, as it will be.
    pub team: Team,
    /// Who does it, if somebody does.
    pub user: Option<User>,
    /// The fields that change, when it is updated.
    pub changes: Record,
}

/// Something happens to the member of a team.
#[derive(Clone, Debug)]
pub struct TeamMemberHook {
    pub organization: Organization,
    pub team: Team,
    /// The row; before there is one, as it will be.
    pub team_member: TeamMember,
    pub user: User,
}

/// Asks a function that is called before; gives the fields that it wants written.
pub(super) async fn ask<H>(hook: &Before<H>, argument: H) -> Result<Record> {
    match hook.call(argument).await {
        Some(Ok(fields)) => Ok(fields.unwrap_or_default()),
        Some(Err(error)) => Err(refusal(error)),
        None => Ok(Record::new()),
    }
}

fn refusal(error: BoxError) -> ApiError {
    match error.downcast::<ApiError>() {
        Ok(error) => *error,
        Err(error) => ApiError::internal("a hook of organisations failed", error),
    }
}

use std::collections::BTreeMap;

use super::{AccessOptions, Invitation, MemberWithUser, Organization, OrganizationHooks};
use crate::access::AccessControl;
use crate::options::{AdditionalFields, ModelNames};
use crate::{Callback, User};

#[derive(Clone, Debug)]
pub struct OrganizationOptions {
    /// What there is to be allowed, and which role allows what. Unset: [`owner`, `admin` and `member`](super::default_access).
    pub access: Option<AccessControl>,
    pub allow_user_to_create_organization: Allowed,
    /// The most organisations that one person may be a member of and still create another.
    pub organization_limit: Limit,
    pub membership_limit: Limit,
    /// The most invitations of one organisation that wait for an answer.
    pub invitation_limit: Limit,
    /// Seconds that an invitation lives.
    pub invitation_expires_in: u32,
    /// Whether another invitation of somebody takes the place of the one that waits. Otherwise it is refused.
    pub cancel_pending_invitations_on_re_invite: bool,
    /// Whether only somebody with a proven address may see, accept or reject an invitation. Unset: when ids are made by a
    /// function of the app's, which may be guessed.
    pub require_email_verification_on_invitation: Option<bool>,
    /// The role of whoever creates an organisation. There is always somebody with it, and nobody else may give or take it.
    pub creator_role: String,
    pub disable_organization_deletion: bool,
    /// Teams inside organisations; none when unset.
    pub teams: Option<TeamOptions>,
    /// Roles that organisations define themselves; none when unset. They need `access`.
    pub dynamic_roles: Option<DynamicRoles>,
    /// Mails an invitation. The engine makes no link: the app knows its pages.
    pub send_invitation: Callback<InvitationMail>,
    /// Called around what happens.
    pub hooks: OrganizationHooks,
    /// Other names for the plugin's tables and columns.
    pub schema: ModelNames,
    /// Columns of one's own, by the engine's name of the table: `organization`, `member`, `invitation`, `team`,
    /// `organizationRole`.
    pub additional_fields: BTreeMap<String, AdditionalFields>,
}

impl Default for OrganizationOptions {
    fn default() -> Self {
        Self {
            access: None,
            allow_user_to_create_organization: Allowed::Everybody,
            organization_limit: Limit::None,
            membership_limit: Limit::Number(100),
            invitation_limit: Limit::Number(100),
            invitation_expires_in: 172_800,
            cancel_pending_invitations_on_re_invite: false,
            require_email_verification_on_invitation: None,
            creator_role: "owner".into(),
            disable_organization_deletion: false,
            teams: None,
            dynamic_roles: None,
            send_invitation: Callback::unset(),
            hooks: OrganizationHooks::default(),
            schema: ModelNames::new(),
            additional_fields: BTreeMap::new(),
        }
    }
}

/// Teams inside organisations.
#[derive(Clone, Debug)]
pub struct TeamOptions {
    pub maximum_teams: Limit,
    pub maximum_members_per_team: Limit,
    /// Whether an organisation may be without a team.
    pub allow_removing_all_teams: bool,
    /// Whether a new organisation has a team of its own name, with whoever created it.
    pub default_team: bool,
}

impl Default for TeamOptions {
    fn default() -> Self {
        Self {
            maximum_teams: Limit::None,
            maximum_members_per_team: Limit::None,
            allow_removing_all_teams: false,
            default_team: true,
        }
    }
}

/// Roles that organisations define themselves.
#[derive(Clone, Debug, Default)]
pub struct DynamicRoles {
    pub maximum_roles_per_organization: Limit,
}

/// How many of something there may be.
#[derive(Clone, Debug, Default)]
pub enum Limit {
    /// Any number.
    #[default]
    None,
    Number(u32),
    /// As many as a function says: a plan that is paid for, for instance.
    Function(Callback<LimitQuestion, u32>),
}

impl From<u32> for Limit {
    fn from(number: u32) -> Self {
        Self::Number(number)
    }
}

/// Whom a limit is asked for.
#[derive(Clone, Debug, Default)]
pub struct LimitQuestion {
    /// Who wants one more.
    pub user: Option<User>,
    /// Where, if there is an organisation yet.
    pub organization: Option<Organization>,
}

/// Who may do something.
#[derive(Clone, Debug, Default)]
pub enum Allowed {
    /// Whoever is signed in.
    #[default]
    Everybody,
    Nobody,
    /// Those for whom a function says so.
    Function(Callback<User, bool>),
}

/// What a mail with an invitation is written from.
#[derive(Clone, Debug)]
pub struct InvitationMail {
    /// The invitation; its id is what a link carries.
    pub invitation: Invitation,
    /// The organization that the invitation leads to.
    pub organization: Organization,
    pub inviter: MemberWithUser,
    pub resent: bool,
}

impl OrganizationOptions {
    /// What cannot be meant.
    pub(super) fn problem(&self) -> Option<String> {
        let creator = &self.creator_role;
        if !self.access().is_known(creator) {
            return Some(format!(
                "`creator_role` is `{creator}`, which is no role of `access`; define it there"
            ));
        }
        None
    }

    /// The roles that everybody has.
    pub(super) fn access(&self) -> AccessOptions<'_> {
        AccessOptions::new(self)
    }
}

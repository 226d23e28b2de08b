use std::fmt;
use std::str::FromStr;

/// Something people do to their own account, to their organisation or, as admins, to others, that an intruder would like to do
/// too.
///
/// Each can be done at two doors, a route of the app and an endpoint of the engine. What it asks for stands once, in
/// [`Demands`](super::Demands), and holds at both: the guard `action:delete-account` asks in front of the route, the
/// mount in front of the endpoint.
///
/// ```
/// use housekey_auth::Action;
///
/// assert_eq!(Action::DeleteAccount.name(), "delete-account");
/// assert_eq!("delete-account".parse(), Ok(Action::DeleteAccount));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// `change-email`: moving the account to another address.
    ChangeEmail,
    /// `change-password`: another password. It takes the current one in any case.
    ChangePassword,
    /// `delete-account`: leaving for good.
    DeleteAccount,
    /// `add-passkey`: another way in.
    AddPasskey,
    /// `rename-passkey`: another name for a way in.
    RenamePasskey,
    /// `delete-passkey`: one way in less.
    DeletePasskey,
    /// `enable-two-factor`: begins to set up a second factor.
    EnableTwoFactor,
    /// `confirm-two-factor`: the first code, which turns it on. A code at sign-in is none of this.
    ConfirmTwoFactor,
    /// `disable-two-factor`: the password alone from now on.
    DisableTwoFactor,
    /// `view-two-factor`: the secret of the second factor once more.
    ViewTwoFactor,
    /// `regenerate-recovery-codes`: new recovery codes in place of the old.
    RegenerateRecoveryCodes,
    /// `revoke-sessions`: ending sessions on other devices. Signing out is none of this.
    RevokeSessions,
    /// `set-password`: a first password for somebody who signs in without one.
    SetPassword,
    /// `connect-account`: another provider's way in.
    ConnectAccount,
    /// `disconnect-account`: taking away another provider's way in.
    DisconnectAccount,
    /// `create-api-key`: a key with which a program acts as the account, or as the organisation.
    CreateApiKey,
    /// `change-api-key`: another name, another end, turned on or off.
    ChangeApiKey,
    /// `delete-api-key`: one key less.
    DeleteApiKey,
    /// `approve-device`: letting in a television or a command line that shows a code. Turning one away is none of this.
    ApproveDevice,
    /// `delete-organization`: an organisation and everything in it, for good.
    DeleteOrganization,
    /// `invite-member`: a mail to somebody of one's choice, in the name of the app.
    InviteMember,
    /// `change-member-role`: another role for a member, `owner` perhaps.
    ChangeMemberRole,
    /// `remove-member`: one member less.
    RemoveMember,
    /// `change-organization-roles`: what roles of an organisation's own allow.
    ChangeOrganizationRoles,
    /// `create-user`: an admin makes an account for somebody.
    CreateUser,
    /// `change-user`: an admin changes somebody's account, the address perhaps.
    ChangeUser,
    /// `change-user-role`: an admin makes another one, or one less.
    ChangeUserRole,
    /// `ban-user`: an admin shuts somebody out, or lets them in again.
    BanUser,
    /// `remove-user`: an admin deletes somebody's account.
    RemoveUser,
    /// `set-user-password`: an admin chooses somebody's password.
    SetUserPassword,
    /// `end-user-sessions`: an admin signs somebody out.
    EndUserSessions,
    /// `impersonate-user`: an admin acts as somebody else. The way back is none of this.
    ImpersonateUser,
}

impl Action {
    pub const ALL: [Self; 32] = [
        Self::ChangeEmail,
        Self::ChangePassword,
        Self::DeleteAccount,
        Self::AddPasskey,
        Self::RenamePasskey,
        Self::DeletePasskey,
        Self::EnableTwoFactor,
        Self::ConfirmTwoFactor,
        Self::DisableTwoFactor,
        Self::ViewTwoFactor,
        Self::RegenerateRecoveryCodes,
        Self::RevokeSessions,
        Self::SetPassword,
        Self::ConnectAccount,
        Self::DisconnectAccount,
        Self::CreateApiKey,
        Self::ChangeApiKey,
        Self::DeleteApiKey,
        Self::ApproveDevice,
        Self::DeleteOrganization,
        Self::InviteMember,
        Self::ChangeMemberRole,
        Self::RemoveMember,
        Self::ChangeOrganizationRoles,
        Self::CreateUser,
        Self::ChangeUser,
        Self::ChangeUserRole,
        Self::BanUser,
        Self::RemoveUser,
        Self::SetUserPassword,
        Self::EndUserSessions,
        Self::ImpersonateUser,
    ];

    /// Its name behind the guard's: `action:change-email`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::ChangeEmail => "change-email",
            Self::ChangePassword => "change-password",
            Self::DeleteAccount => "delete-account",
            Self::AddPasskey => "add-passkey",
            Self::RenamePasskey => "rename-passkey",
            Self::DeletePasskey => "delete-passkey",
            Self::EnableTwoFactor => "enable-two-factor",
            Self::ConfirmTwoFactor => "confirm-two-factor",
            Self::DisableTwoFactor => "disable-two-factor",
            Self::ViewTwoFactor => "view-two-factor",
            Self::RegenerateRecoveryCodes => "regenerate-recovery-codes",
            Self::RevokeSessions => "revoke-sessions",
            Self::SetPassword => "set-password",
            Self::ConnectAccount => "connect-account",
            Self::DisconnectAccount => "disconnect-account",
            Self::CreateApiKey => "create-api-key",
            Self::ChangeApiKey => "change-api-key",
            Self::DeleteApiKey => "delete-api-key",
            Self::ApproveDevice => "approve-device",
            Self::DeleteOrganization => "delete-organization",
            Self::InviteMember => "invite-member",
            Self::ChangeMemberRole => "change-member-role",
            Self::RemoveMember => "remove-member",
            Self::ChangeOrganizationRoles => "change-organization-roles",
            Self::CreateUser => "create-user",
            Self::ChangeUser => "change-user",
            Self::ChangeUserRole => "change-user-role",
            Self::BanUser => "ban-user",
            Self::RemoveUser => "remove-user",
            Self::SetUserPassword => "set-user-password",
            Self::EndUserSessions => "end-user-sessions",
            Self::ImpersonateUser => "impersonate-user",
        }
    }

    /// The engine's endpoints that do it, below its base path.
    pub(crate) const fn endpoints(self) -> &'static [&'static str] {
        match self {
            Self::ChangeEmail => {
                &["/change-email", "/email-otp/request-email-change", "/email-otp/change-email"]
            }
            Self::ChangePassword => &["/change-password"],
            Self::DeleteAccount => &["/delete-user"],
            Self::AddPasskey => &["/passkey/generate-register-options", "/passkey/verify-registration"],
            Self::RenamePasskey => &["/passkey/update-passkey"],
            Self::DeletePasskey => &["/passkey/delete-passkey"],
            Self::EnableTwoFactor => &["/two-factor/enable"],
            Self::ConfirmTwoFactor => &["/two-factor/verify-totp"],
            Self::DisableTwoFactor => &["/two-factor/disable"],
            Self::ViewTwoFactor => &["/two-factor/get-totp-uri"],
            Self::RegenerateRecoveryCodes => &["/two-factor/generate-backup-codes"],
            Self::RevokeSessions => &["/revoke-session", "/revoke-sessions", "/revoke-other-sessions"],
            // Only server code can: the engine has no endpoint for it, as the reference has none.
            Self::SetPassword => &[],
            Self::ConnectAccount => &["/link-social"],
            Self::DisconnectAccount => &["/unlink-account"],
            Self::CreateApiKey => &["/api-key/create"],
            Self::ChangeApiKey => &["/api-key/update"],
            Self::DeleteApiKey => &["/api-key/delete"],
            Self::ApproveDevice => &["/device/approve"],
            Self::DeleteOrganization => &["/organization/delete"],
            Self::InviteMember => &["/organization/invite-member"],
            Self::ChangeMemberRole => &["/organization/update-member-role"],
            Self::RemoveMember => &["/organization/remove-member"],
            Self::ChangeOrganizationRoles => {
                &["/organization/create-role", "/organization/update-role", "/organization/delete-role"]
            }
            Self::CreateUser => &["/admin/create-user"],
            Self::ChangeUser => &["/admin/update-user"],
            Self::ChangeUserRole => &["/admin/set-role"],
            Self::BanUser => &["/admin/ban-user", "/admin/unban-user"],
            Self::RemoveUser => &["/admin/remove-user"],
            Self::SetUserPassword => &["/admin/set-user-password"],
            Self::EndUserSessions => &["/admin/revoke-user-session", "/admin/revoke-user-sessions"],
            Self::ImpersonateUser => &["/admin/impersonate-user"],
        }
    }

    /// The field of the body in which its endpoint takes the password and, if one is given, refuses a wrong one.
    pub(crate) const fn password_field(self) -> Option<&'static str> {
        match self {
            Self::ChangePassword => Some("currentPassword"),
            Self::DeleteAccount
            | Self::EnableTwoFactor
            | Self::DisableTwoFactor
            | Self::ViewTwoFactor
            | Self::RegenerateRecoveryCodes => Some("password"),
            _ => None,
        }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Action {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|action| action.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|action| action.name()).collect();
            format!("{name:?} is no action on an account; known are: {}", known.join(", "))
        })
    }
}

use std::fmt;
use std::str::FromStr;

/// Something people do to their own account that an intruder would like to do too.
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
}

impl Action {
    /// All of them.
    pub const ALL: [Self; 15] = [
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
        }
    }

    /// The engine's endpoints that do it, below its base path.
    pub(crate) const fn endpoints(self) -> &'static [&'static str] {
        match self {
            Self::ChangeEmail => &["/change-email"],
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
            Self::ChangeEmail
            | Self::AddPasskey
            | Self::RenamePasskey
            | Self::DeletePasskey
            | Self::ConfirmTwoFactor
            | Self::RevokeSessions
            | Self::SetPassword
            | Self::ConnectAccount
            | Self::DisconnectAccount => None,
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

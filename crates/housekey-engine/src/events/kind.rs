/// What happened. Its [name](Self::name) is stable: logs and tables hold it.
///
/// ```
/// use housekey_engine::SecurityEventKind;
///
/// assert_eq!(SecurityEventKind::SignInRefused.name(), "sign-in-refused");
/// assert_eq!(SecurityEventKind::named("sign-in-refused"), Some(SecurityEventKind::SignInRefused));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SecurityEventKind {
    /// Somebody made an account. If that signed them in, the event has a session.
    SignUp,
    /// A session began for somebody who had none. `method` says by what: `password`, `passkey`, `email-link`, `magic-link`, `email-otp`,
    /// `one-time-token`, `device-authorization`, `social` (then `provider` says with which), or the code that came last (`totp`, `otp`,
    /// `backup-code`).
    SignIn,
    /// Somebody was not let in. `reason` says why: `wrong-password`, `no-password`, `unknown-address` (then `addressHash` is
    /// all that is kept of it), `unproven-address`, `unknown-passkey`, `passkey`, `invalid-link`, `opened-elsewhere`, `sign-up-disabled`,
    /// `wrong-code`, `invalid-token`, `session-ended`; with `method` `social` the code that the person was sent back with
    /// (`account_not_linked`).
    SignInRefused,
    /// Somebody ended the session that they were in.
    SignOut,
    /// Too many guesses: from now on none is looked at for a while. `of` says which: `password`, `second-factor` or `email-code`.
    Locked,
    /// Somebody who is signed in was asked who they are once more, and gave a wrong answer.
    ConfirmationRefused,
    /// The first factor was right, and a second one was asked for.
    SecondFactorAsked,
    SecondFactorPassed,
    SecondFactorRefused,
    /// Somebody let a device in: `client` is what it calls itself, `from` the address that it asked from.
    DeviceApproved,
    DeviceDenied,
    /// A browser need not show the second factor for a while.
    DeviceTrusted,
    TwoFactorEnabled,
    TwoFactorDisabled,
    /// New backup codes took the place of the old ones.
    BackupCodesRegenerated,
    PasskeyAdded,
    PasskeyRenamed,
    PasskeyRemoved,
    /// Somebody asked for a link that sets a new password.
    PasswordResetAsked,
    /// Such a link set a new password. `firstProof` when it was the first proof of the address: then every other way into the
    /// account ended with it.
    PasswordReset,
    /// The password was changed by somebody who knew the old one.
    PasswordChanged,
    /// An account without a password got one.
    PasswordSet,
    /// Somebody asked to move to another address.
    EmailChangeAsked,
    /// The holder of the old address agreed to that.
    EmailChangeAgreed,
    EmailChanged,
    /// The move to another address was called off.
    EmailChangeCancelled,
    EmailVerified,
    /// One session was ended from another one.
    SessionRevoked,
    /// Sessions were ended: `scope` is `all` or `others`.
    SessionsRevoked,
    /// A way to sign in by another provider was added: `provider` says which. `by` is `owner` when somebody who is signed in
    /// asked for it, and `address` when the provider vouched for the same address.
    AccountLinked,
    /// A way to sign in by another provider was taken away.
    AccountUnlinked,
    AccountDeleted,
    /// Somebody created an organisation: `organization` is its id, here and in the following.
    OrganizationCreated,
    OrganizationDeleted,
    /// Somebody became a member of an organisation, other than by an invitation. `by` says who added them.
    MemberAdded,
    /// Somebody is no longer a member of an organisation. `by` says who removed them; whoever left has none.
    MemberRemoved,
    /// A member has other roles than before: `from`, `to`, and `by` says who changed them.
    MemberRoleChanged,
    /// Somebody invited somebody else, with a `role`. `resent` when it is an invitation that they had been sent before.
    InvitationSent,
    /// Somebody accepted an invitation. `by` says who sent it.
    InvitationAccepted,
    /// An API key was made: `key` is its id, `name` what it is called, and `organization` whose it is where it is not the user's.
    ApiKeyCreated,
    /// An API key was renamed, turned off or on, or allows something else.
    ApiKeyChanged,
    ApiKeyDeleted,
    /// What a plugin has to tell, under a name of its own.
    Custom(&'static str),
}

impl SecurityEventKind {
    /// All but [`Custom`](Self::Custom).
    pub const ALL: &[Self] = &[
        Self::SignUp,
        Self::SignIn,
        Self::SignInRefused,
        Self::SignOut,
        Self::Locked,
        Self::ConfirmationRefused,
        Self::SecondFactorAsked,
        Self::SecondFactorPassed,
        Self::SecondFactorRefused,
        Self::DeviceApproved,
        Self::DeviceDenied,
        Self::DeviceTrusted,
        Self::TwoFactorEnabled,
        Self::TwoFactorDisabled,
        Self::BackupCodesRegenerated,
        Self::PasskeyAdded,
        Self::PasskeyRenamed,
        Self::PasskeyRemoved,
        Self::PasswordResetAsked,
        Self::PasswordReset,
        Self::PasswordChanged,
        Self::PasswordSet,
        Self::EmailChangeAsked,
        Self::EmailChangeAgreed,
        Self::EmailChanged,
        Self::EmailChangeCancelled,
        Self::EmailVerified,
        Self::SessionRevoked,
        Self::SessionsRevoked,
        Self::AccountLinked,
        Self::AccountUnlinked,
        Self::AccountDeleted,
        Self::OrganizationCreated,
        Self::OrganizationDeleted,
        Self::MemberAdded,
        Self::MemberRemoved,
        Self::MemberRoleChanged,
        Self::InvitationSent,
        Self::InvitationAccepted,
        Self::ApiKeyCreated,
        Self::ApiKeyChanged,
        Self::ApiKeyDeleted,
    ];

    /// Its name: `sign-in`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::SignUp => "sign-up",
            Self::SignIn => "sign-in",
            Self::SignInRefused => "sign-in-refused",
            Self::SignOut => "sign-out",
            Self::Locked => "locked",
            Self::ConfirmationRefused => "confirmation-refused",
            Self::SecondFactorAsked => "second-factor-asked",
            Self::SecondFactorPassed => "second-factor-passed",
            Self::SecondFactorRefused => "second-factor-refused",
            Self::DeviceApproved => "device-approved",
            Self::DeviceDenied => "device-denied",
            Self::DeviceTrusted => "device-trusted",
            Self::TwoFactorEnabled => "two-factor-enabled",
            Self::TwoFactorDisabled => "two-factor-disabled",
            Self::BackupCodesRegenerated => "backup-codes-regenerated",
            Self::PasskeyAdded => "passkey-added",
            Self::PasskeyRenamed => "passkey-renamed",
            Self::PasskeyRemoved => "passkey-removed",
            Self::PasswordResetAsked => "password-reset-asked",
            Self::PasswordReset => "password-reset",
            Self::PasswordChanged => "password-changed",
            Self::PasswordSet => "password-set",
            Self::EmailChangeAsked => "email-change-asked",
            Self::EmailChangeAgreed => "email-change-agreed",
            Self::EmailChanged => "email-changed",
            Self::EmailChangeCancelled => "email-change-cancelled",
            Self::EmailVerified => "email-verified",
            Self::SessionRevoked => "session-revoked",
            Self::SessionsRevoked => "sessions-revoked",
            Self::AccountLinked => "account-linked",
            Self::AccountUnlinked => "account-unlinked",
            Self::AccountDeleted => "account-deleted",
            Self::OrganizationCreated => "organization-created",
            Self::OrganizationDeleted => "organization-deleted",
            Self::MemberAdded => "member-added",
            Self::MemberRemoved => "member-removed",
            Self::MemberRoleChanged => "member-role-changed",
            Self::InvitationSent => "invitation-sent",
            Self::InvitationAccepted => "invitation-accepted",
            Self::ApiKeyCreated => "api-key-created",
            Self::ApiKeyChanged => "api-key-changed",
            Self::ApiKeyDeleted => "api-key-deleted",
            Self::Custom(name) => name,
        }
    }

    /// The one with this name; a plugin's own is not known here.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
    }
}

use std::str::FromStr;

use housekey_engine::Engine;

use crate::Auth;

/// Something an app may offer its people: whether it does is up to `config/auth.rs`. What is not offered is not there:
/// the guard `offers:two-factor` answers 404 in front of its routes, and [`offers`] tells pages not to speak of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Feature {
    /// `password`: signing in with an address and a password.
    Password,
    /// `sign-up`: making an account oneself.
    SignUp,
    /// `password-reset`: a new password by mail.
    PasswordReset,
    /// `change-email`: moving to another address.
    ChangeEmail,
    /// `delete-account`: leaving.
    DeleteAccount,
    /// `two-factor`: a code beside the password.
    TwoFactor,
    /// `passkeys`: signing in with a key that a device keeps. Its ceremonies are the engine's endpoints, so it is off
    /// where those are not mounted.
    Passkeys,
    /// `social`: signing in with Google, GitHub or another provider. A provider sends people back to one of the engine's
    /// endpoints, so it is off where those are not mounted.
    Social,
    /// `magic-link`: signing in with a link in a mail.
    MagicLink,
    /// `email-code`: signing in with a code in a mail.
    EmailCode,
    /// `username`: signing in with a name of one's own beside the address.
    Username,
    /// `several-accounts`: being signed in with several accounts in one browser, and going from one to the other.
    SeveralAccounts,
    /// `anonymous`: looking around without an account, and taking along what was done when one makes one.
    Anonymous,
    /// `api-keys`: keys for programs.
    ApiKeys,
    /// `devices`: letting in a television or a command line by a code that it shows.
    Devices,
    /// `organizations`: working together in organisations.
    Organizations,
    /// `admin`: people who look after the others.
    Admin,
}

impl Feature {
    pub const ALL: [Self; 17] = [
        Self::Password,
        Self::SignUp,
        Self::PasswordReset,
        Self::ChangeEmail,
        Self::DeleteAccount,
        Self::TwoFactor,
        Self::Passkeys,
        Self::Social,
        Self::MagicLink,
        Self::EmailCode,
        Self::Username,
        Self::SeveralAccounts,
        Self::Anonymous,
        Self::ApiKeys,
        Self::Devices,
        Self::Organizations,
        Self::Admin,
    ];

    /// Its name behind the guard's: `offers:sign-up`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Password => "password",
            Self::SignUp => "sign-up",
            Self::PasswordReset => "password-reset",
            Self::ChangeEmail => "change-email",
            Self::DeleteAccount => "delete-account",
            Self::TwoFactor => "two-factor",
            Self::Passkeys => "passkeys",
            Self::Social => "social",
            Self::MagicLink => "magic-link",
            Self::EmailCode => "email-code",
            Self::Username => "username",
            Self::SeveralAccounts => "several-accounts",
            Self::Anonymous => "anonymous",
            Self::ApiKeys => "api-keys",
            Self::Devices => "devices",
            Self::Organizations => "organizations",
            Self::Admin => "admin",
        }
    }

    /// Whether it happens between the browser and the engine's endpoints. Everything else the app does itself.
    const fn needs_endpoints(self) -> bool {
        // A device asks the engine for its code, and again until it is let in.
        matches!(self, Self::Passkeys | Self::Social | Self::Devices)
    }

    fn is_on(self, engine: &Engine) -> bool {
        let options = engine.options();
        let password = &options.email_and_password;
        match self {
            Self::Password => password.enabled,
            Self::SignUp => password.enabled && !password.disable_sign_up,
            Self::PasswordReset => password.enabled && password.send_reset_password.is_set(),
            Self::ChangeEmail => options.user.change_email.enabled,
            Self::DeleteAccount => options.user.delete_user.enabled,
            Self::TwoFactor => engine.plugins().contains("two-factor"),
            Self::Passkeys => engine.plugins().contains("passkey"),
            Self::Social => has_providers(engine),
            Self::MagicLink => engine.plugins().contains("magic-link"),
            Self::EmailCode => engine.plugins().contains("email-otp"),
            // A name goes with the password.
            Self::Username => password.enabled && engine.plugins().contains("username"),
            Self::SeveralAccounts => engine.plugins().contains("multi-session"),
            Self::Anonymous => engine.plugins().contains("anonymous"),
            Self::ApiKeys => engine.plugins().contains("api-key"),
            Self::Devices => engine.plugins().contains("device-authorization"),
            Self::Organizations => engine.plugins().contains("organization"),
            Self::Admin => engine.plugins().contains("admin"),
        }
    }
}

#[cfg(feature = "social")]
fn has_providers(engine: &Engine) -> bool {
    !engine.options().social_providers.is_empty()
}

#[cfg(not(feature = "social"))]
fn has_providers(_: &Engine) -> bool {
    false
}

impl FromStr for Feature {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        Self::ALL.into_iter().find(|feature| feature.name() == name).ok_or_else(|| {
            let known: Vec<_> = Self::ALL.iter().map(|feature| feature.name()).collect();
            format!("{name:?} is nothing that accounts could offer; known are: {}", known.join(", "))
        })
    }
}

impl Auth {
    /// Whether the app offers something: the options turn it on, and the endpoints it needs are served.
    // spec: CFG-1, CFG-6
    pub fn offers(&self, feature: Feature) -> bool {
        let is_served = self.config().mount || !feature.needs_endpoints();
        is_served && feature.is_on(self.engine())
    }
}

/// Whether the app offers something: for pages that lead to it. Outside of an app with accounts, nothing is.
///
/// ```
/// use housekey_auth::{Feature, offers};
///
/// let link = offers(Feature::SignUp).then_some("/sign-up");
/// assert_eq!(link, None);
/// ```
pub fn offers(feature: Feature) -> bool {
    Auth::current().is_ok_and(|auth| auth.offers(feature))
}

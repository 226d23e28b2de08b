//! What `config/auth.rs` imports, all of it and nothing else: `use housekey::auth::config::*;`.
//!
//! - [`AuthConfig`] is the file: a few settings of this layer, and the engine's [`EngineOptions`].
//! - [`secure()`] fills in what the kits turn on, [`default()`] what the engine has by itself.
//! - [`two_factor()`], [`magic_link()`], [`email_otp()`], [`username()`], [`multi_session()`], [`bearer()`], [`organization()`],
//!   [`admin()`], [`anonymous()`], [`last_login_method()`] and `passkey` are the plugins that come along, each with its options.
//! - `Provider` and `SocialProviders` are whom people may sign in with besides, with the cargo feature `social`.
//! - [`env()`] reads what differs between machines.

mod auth_config;
mod secure;

pub use housekey_core::{default, env, env_list};
pub use housekey_engine::access::{AccessControl, Permission, Statements};
pub use housekey_engine::hooks::{BeforeWrite, DatabaseHooks, RequestHooks};
pub use housekey_engine::options::*;
pub use housekey_engine::plugins::admin::{AdminOptions, BannedMessage, admin};
pub use housekey_engine::plugins::anonymous::{AnonymousOptions, anonymous};
pub use housekey_engine::plugins::api_key::{
    ApiKeyConfig, ApiKeyOptions, KeyExpiration, KeyRateLimit, OwnerKind, api_key,
};
#[cfg(feature = "http-client")]
pub use housekey_engine::plugins::breached_passwords::{BreachedPasswordsOptions, breached_passwords};
#[cfg(feature = "http-client")]
pub use housekey_engine::plugins::captcha::{CaptchaOptions, CaptchaProvider, WhenUnavailable, captcha};
pub use housekey_engine::plugins::device_authorization::{DeviceAuthorizationOptions, device_authorization};
pub use housekey_engine::plugins::email_otp::{
    ChangeEmailByCode, EmailOtpMail, EmailOtpOptions, EmailOtpType, ResendStrategy, StoredCode, email_otp,
};
#[cfg(feature = "jwt")]
pub use housekey_engine::plugins::jwt::{Algorithm, JwtOptions, jwt};
pub use housekey_engine::plugins::last_login_method::{LastLoginMethodOptions, last_login_method};
pub use housekey_engine::plugins::magic_link::{MagicLinkMail, MagicLinkOptions, StoredToken, magic_link};
pub use housekey_engine::plugins::multi_session::{MultiSessionOptions, multi_session};
pub use housekey_engine::plugins::one_time_token::{OneTimeTokenOptions, one_time_token};
pub use housekey_engine::plugins::organization::{
    Allowed, DynamicRoles, InvitationMail, Limit, LimitQuestion, OrganizationHooks, OrganizationOptions,
    TeamOptions, organization,
};
#[cfg(feature = "passkeys")]
pub use housekey_engine::plugins::passkey::{
    Attachment, AuthenticatorSelection, PasskeyOptions, PasskeyRegistration, PasskeyUser,
    RegistrationRequest, Requirement, passkey,
};
pub use housekey_engine::plugins::two_factor::{
    AccountLockout, BackupCodeOptions, OtpMail, OtpOptions, StoredBackupCodes, StoredOtp, TotpOptions,
    TwoFactorOptions, two_factor,
};
pub use housekey_engine::plugins::username::{Availability, UsernameOptions, username};
pub use housekey_engine::plugins::{BearerOptions, bearer};
#[cfg(feature = "social")]
pub use housekey_engine::social::{
    AppleKey, CognitoPool, OAuth2Endpoints, Profile, ProfileUser, Provider, ProviderSettings,
    SocialProviders, TokenAuth, TokenSet,
};
pub use housekey_engine::{ApiError, Callback, Plugin, Plugins, Secret, SecurityEvent, SecurityEventKind};

pub use crate::demands::{Action, Demand, Demands};
pub use crate::events::Events;
pub use auth_config::{AuthConfig, Identity, MailPages, Notices};
pub use secure::{Secure, secure};

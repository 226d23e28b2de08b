//! The plugins that come with the engine.

pub mod admin;
pub mod anonymous;
pub mod api_key;
pub mod bearer;
#[cfg(feature = "http-client")]
pub mod breached_passwords;
#[cfg(feature = "http-client")]
pub mod captcha;
pub mod device_authorization;
pub mod email_otp;
#[cfg(feature = "jwt")]
pub mod jwt;
pub mod last_login_method;
mod listing;
pub mod magic_link;
mod mail_proof;
pub mod multi_session;
pub mod one_time_token;
pub mod organization;
#[cfg(feature = "passkeys")]
pub mod passkey;
pub mod two_factor;
pub mod username;

pub use admin::{AdminOptions, admin};
pub use anonymous::{AnonymousOptions, anonymous};
pub use api_key::{ApiKeyOptions, api_key};
pub use bearer::{BearerOptions, bearer};
#[cfg(feature = "http-client")]
pub use breached_passwords::{BreachedPasswordsOptions, breached_passwords};
#[cfg(feature = "http-client")]
pub use captcha::{CaptchaOptions, captcha};
pub use device_authorization::{DeviceAuthorizationOptions, device_authorization};
pub use email_otp::{EmailOtpOptions, email_otp};
#[cfg(feature = "jwt")]
pub use jwt::{JwtOptions, jwt};
pub use last_login_method::{LastLoginMethodOptions, last_login_method};
pub use magic_link::{MagicLinkOptions, magic_link};
pub use multi_session::{MultiSessionOptions, multi_session};
pub use one_time_token::{OneTimeTokenOptions, one_time_token};
pub use organization::{OrganizationOptions, TeamOptions, organization};
#[cfg(feature = "passkeys")]
pub use passkey::{PasskeyOptions, passkey};
pub use two_factor::{TwoFactorOptions, two_factor};
pub use username::{UsernameOptions, username};

//! Everything that can be configured, typed. Serialised, the keys are the reference's (`emailAndPassword.enabled`).
//!
//! Each group of options has a file of its own. Functions are [`Callback`]s and shared objects are
//! [`Shared`]; both refuse to be serialised when set, at their place.

mod account;
mod advanced;
mod alerts;
mod background_tasks;
mod email_and_password;
mod email_verification;
mod fields;
mod mail;
mod password_rules;
mod rate_limit;
mod session;
mod shared;
#[cfg(feature = "social")]
mod social;
mod user;
mod verification;
mod weak_secret;

pub use housekey_base::SameSite;
use serde::{Deserialize, Serialize};

pub use account::{AccountLinking, AccountOptions, StateStrategy};
pub use advanced::{
    AdvancedOptions, CookieAttributes, CookieOverride, CrossSubDomainCookies, DatabaseOptions, IdGeneration,
    IpAddressOptions, OriginCheck,
};
pub use alerts::{Alerts, Guessed, Lockout, NewDevice};
pub use background_tasks::{BackgroundHandler, BackgroundTasks};
pub use email_and_password::{EmailAndPassword, PasswordCheck, PasswordHasher, PasswordOptions};
pub use email_verification::EmailVerification;
pub use fields::{AdditionalField, AdditionalFields, FieldKind, ModelNames, TableNames};
pub use mail::{ChangeEmailMail, LinkMail};
pub use password_rules::PasswordRules;
pub use rate_limit::{
    AccountLimits, CustomRule, RateLimitOptions, RateLimitRequest, RateLimitStorage, RateRule,
};
pub use session::{CacheStrategy, CacheVersion, CookieCache, SessionOptions};
pub use shared::Shared;
#[cfg(feature = "social")]
pub use social::SocialOptions;
pub use user::{ChangeEmail, DeleteUser, UserInfoCheck, UserInfoRefusal, UserOptions};
pub use verification::{StoredIdentifier, VerificationOptions};
pub use weak_secret::{SHORTEST_SECRET, WeakSecret};

use crate::hooks::DatabaseHooks;
use crate::{ApiError, Callback, Secret, SecurityEvent};

/// The configuration of an engine: data, and functions of data. What acts on the engine itself, plugins and hooks around
/// requests, is given to [`Engine::builder`](crate::Engine::builder).
///
/// ```
/// use housekey_engine::options::{EmailAndPassword, EngineOptions};
///
/// let options = EngineOptions {
///     secret: "a secret of at least thirty-two characters".into(),
///     base_url: "https://example.com".into(),
///     email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
///     ..Default::default()
/// };
/// let json = serde_json::to_value(&options).unwrap();
/// assert_eq!(json["emailAndPassword"]["minPasswordLength"], 8);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EngineOptions {
    /// The name of the app: the issuer that an authenticator app shows.
    pub app_name: String,
    /// Signs cookies and links, encrypts what is secret at rest. At least 32 characters.
    pub secret: Secret,
    /// Secrets that rotate, the current one first. When given, they replace `secret`. What a former one signed or encrypted is
    /// still read: nobody is signed out. Leave a secret out to end everything that it signed.
    pub secrets: Vec<SecretVersion>,
    /// Where the app is reached: scheme, host, port.
    #[serde(rename = "baseURL")]
    pub base_url: String,
    /// Where the endpoints sit below it.
    pub base_path: String,
    /// Whether this is the real thing. Outside production a short secret only warns, rate limits are off unless
    /// asked for, and `/error` is a page.
    pub production: bool,
    /// Origins besides our own that may call and that links may lead to. `https://*.example.com` is understood.
    pub trusted_origins: Vec<String>,
    /// More trusted origins, decided per request.
    pub trusted_origins_for: Callback<OriginRequest, Vec<String>>,
    /// Sign-up and sign-in with an address and a password.
    pub email_and_password: EmailAndPassword,
    /// Links that prove an address.
    pub email_verification: EmailVerification,
    /// Users: their table, changing their address, deleting them.
    pub user: UserOptions,
    /// Sessions: their table, life, renewal and the cookie cache.
    pub session: SessionOptions,
    /// Accounts: how a user signs in.
    pub account: AccountOptions,
    /// Short-lived values: reset links, challenges.
    pub verification: VerificationOptions,
    /// The providers that people may sign in with, in the order of their buttons.
    #[cfg(feature = "social")]
    pub social_providers: crate::social::SocialProviders,
    /// Sign in with others: what concerns all providers.
    #[cfg(feature = "social")]
    pub social: SocialOptions,
    /// How often one address may call.
    pub rate_limit: RateLimitOptions,
    /// Cookies, client addresses, origin checks, ids.
    pub advanced: AdvancedOptions,
    /// What the owner of an account hears about.
    pub alerts: Alerts,
    /// Called around every write, per model.
    pub database_hooks: DatabaseHooks,
    #[serde(rename = "onAPIError")]
    pub on_api_error: OnApiError,
    /// Told of everything that happens to accounts, once and when it is written: sign-ins, refusals, changes of factors and
    /// passwords, the end of sessions. What it does not manage is logged and fails no request.
    pub on_security_event: Callback<SecurityEvent>,
    /// Endpoints to leave out, as paths below the base path.
    pub disabled_paths: Vec<String>,
    /// Options that this engine does not know, kept for plugins that do; see [`Plugins::unread`](crate::Plugins::unread).
    #[serde(flatten)]
    pub other: serde_json::Map<String, serde_json::Value>,
}

impl Default for EngineOptions {
    fn default() -> Self {
        Self {
            app_name: "Better Auth".into(),
            secret: Secret::default(),
            secrets: Vec::new(),
            base_url: "http://localhost:3000".into(),
            base_path: "/api/auth".into(),
            production: true,
            trusted_origins: Vec::new(),
            trusted_origins_for: Callback::unset(),
            email_and_password: EmailAndPassword::default(),
            email_verification: EmailVerification::default(),
            user: UserOptions::default(),
            session: SessionOptions::default(),
            account: AccountOptions::default(),
            verification: VerificationOptions::default(),
            #[cfg(feature = "social")]
            social_providers: crate::social::SocialProviders::new(),
            #[cfg(feature = "social")]
            social: SocialOptions::default(),
            rate_limit: RateLimitOptions::default(),
            advanced: AdvancedOptions::default(),
            alerts: Alerts::default(),
            database_hooks: DatabaseHooks::default(),
            on_api_error: OnApiError::default(),
            on_security_event: Callback::unset(),
            disabled_paths: Vec::new(),
            other: serde_json::Map::new(),
        }
    }
}

/// One of several secrets.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SecretVersion {
    /// Its number, written beside what it encrypts.
    pub version: u32,
    pub value: Secret,
}

/// What is known of a request when trusted origins are asked for.
#[derive(Clone, Debug, Default)]
pub struct OriginRequest {
    pub headers: http::HeaderMap,
    /// Its path, the base path left off.
    pub path: String,
}

/// What happens with errors.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OnApiError {
    /// Where `/error` leads.
    #[serde(rename = "errorURL")]
    pub error_url: Option<String>,
    /// Told of every error that reaches a client.
    pub on_error: Callback<ErrorReport>,
}

/// An error as reported to [`OnApiError::on_error`].
#[derive(Clone, Debug)]
pub struct ErrorReport {
    /// The endpoint's path, the base path left off.
    pub path: String,
    pub error: std::sync::Arc<ApiError>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_survive_being_written_down() {
        let mut options = EngineOptions { secret: "x".into(), ..EngineOptions::default() };
        options.other.insert("organization".into(), serde_json::json!({ "teams": true }));
        let text = serde_json::to_string(&options).unwrap();
        let back: EngineOptions = serde_json::from_str(&text).unwrap();
        assert_eq!(back.secret.reveal(), "x");
        assert_eq!(back.other["organization"]["teams"], true);
        assert_eq!(text, serde_json::to_string(&back).unwrap());
    }

    #[cfg(feature = "social")]
    #[test]
    fn providers_survive_being_written_down() {
        use crate::social::{Provider, SocialProviders};

        let providers = [
            Provider::google("1", "s").hosted_domain("example.com").scope("calendar"),
            Provider::github("2", "t").also_for("3").with_id("work").with_name("Work"),
        ];
        let options = EngineOptions { social_providers: providers.into(), ..EngineOptions::default() };
        let text = serde_json::to_string(&options).unwrap();
        let back: EngineOptions = serde_json::from_str(&text).unwrap();
        assert_eq!(text, serde_json::to_string(&back).unwrap());
        let ids = |list: &SocialProviders| list.iter().map(|one| one.id.clone()).collect::<Vec<_>>();
        assert_eq!(ids(&back.social_providers), ["google", "work"], "in their order");
        assert_eq!(back.social_providers.get("work").unwrap().kind().id, "github");
        assert_eq!(back.social_providers.get("work").unwrap().client_ids, ["2", "3"]);
        assert!(back.other.is_empty());
    }

    #[cfg(not(feature = "social"))]
    #[test]
    fn without_the_feature_providers_are_options_that_nobody_reads() {
        let json = serde_json::json!({ "socialProviders": { "github": { "clientId": "1" } } });
        let options: EngineOptions = serde_json::from_value(json).unwrap();
        assert_eq!(crate::Plugins::default().unread(&options), ["other.socialProviders"]);
    }

    #[test]
    fn a_function_is_refused_at_its_place() {
        let mut options = EngineOptions::default();
        options.email_and_password.send_reset_password = Callback::new(|_| async { Ok::<_, ApiError>(()) });
        assert!(serde_json::to_string(&options).unwrap_err().to_string().contains("function"));
    }

    #[test]
    // spec: CFG-5
    fn keys_are_spelled_as_in_the_reference() {
        let json = serde_json::to_value(EngineOptions::default()).unwrap();
        assert_eq!(json["baseURL"], "http://localhost:3000");
        assert_eq!(json["basePath"], "/api/auth");
        assert_eq!(json["session"]["cookieCache"]["maxAge"], 300);
        assert!(json["advanced"]["ipAddress"]["ipAddressHeaders"].is_null());
        assert_eq!(json["rateLimit"]["window"], 10);
    }
}

use housekey_engine::Plugins;
use housekey_engine::hooks::RequestHooks;
use housekey_engine::options::EngineOptions;
use serde::{Deserialize, Serialize};

use crate::demands::Demands;
use crate::events::Events;

/// `config/auth.rs`: a few settings of this layer, and beside them everything that the engine can be told.
///
/// ```
/// use housekey_auth::config::*;
///
/// pub fn auth() -> AuthConfig {
///     AuthConfig {
///         mount: env("AUTH_MOUNT", true),
///         engine: EngineOptions {
///             secret: env("AUTH_SECRET", ""),
///             base_url: env("APP_URL", "http://localhost:3000"),
///             email_and_password: EmailAndPassword { enabled: true, ..secure() },
///             ..secure()
///         },
///         plugins: Plugins::from([two_factor(secure())]),
///         ..secure()
///     }
/// }
/// # let json = serde_json::to_value(AuthConfig::default()).unwrap();
/// # assert_eq!(json["redirectGuestsTo"], "/sign-in");
/// # assert_eq!(json["emailAndPassword"]["enabled"], false);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AuthConfig {
    /// Whether the engine's endpoints are served. If not, guards, accessors and the gate are all that is left of this
    /// layer, and what needs an endpoint is not [offered](crate::Feature).
    pub mount: bool,
    /// The database connection that holds the tables; the app's default one when unset.
    pub connection: Option<String>,
    /// Where the guard `auth` sends a browser that is not signed in.
    pub redirect_guests_to: String,
    /// Where the guard `guest` sends a browser that is signed in.
    pub redirect_members_to: String,
    /// Where the guard `verified` sends a browser whose address is not proven.
    pub redirect_unverified_to: String,
    /// Where the guards `member` and `role` send a browser that is in no organisation: the page to choose or create one.
    pub redirect_without_organization_to: String,
    /// Seconds for which a password that was entered again counts for the guard `password.confirm`.
    pub confirm_window: u64,
    /// What an action on an account asks for: password, proven address, patience. It holds at the app's routes
    /// (`middleware("action:delete-account")`) and at the engine's endpoints.
    pub demands: Demands,
    /// What becomes of events about accounts: a line of the log, and a row in a table where the app wants that.
    pub events: Events,
    /// How the app's own routes know who is there.
    pub identity: Identity,
    /// Pages of the app that links in mails lead to.
    pub mail_pages: MailPages,
    /// What the owner of an account is told by mail without having asked.
    pub notices: Notices,
    /// What is added to the engine: two-factor, passkeys, a plugin of one's own. In the order in which they act.
    pub plugins: Plugins,
    /// Called around every request to the engine, and around the app's own requests with a session.
    pub hooks: RequestHooks,
    #[serde(flatten)]
    pub engine: EngineOptions,
}

impl Default for AuthConfig {
    fn default() -> Self {
        Self {
            mount: true,
            connection: None,
            redirect_guests_to: "/sign-in".into(),
            redirect_members_to: "/dashboard".into(),
            redirect_unverified_to: "/verify-email".into(),
            redirect_without_organization_to: "/organizations".into(),
            confirm_window: 3 * 60 * 60,
            demands: Demands::default(),
            events: Events::default(),
            identity: Identity::default(),
            mail_pages: MailPages::default(),
            notices: Notices::default(),
            plugins: Plugins::default(),
            hooks: RequestHooks::default(),
            engine: EngineOptions::default(),
        }
    }
}

/// Pages that links in mails lead to: paths of the app, or whole addresses where its pages live elsewhere. Each gets
/// `?token=` and asks before it spends it, so that a mail scanner that opens every link changes nothing. Unset: the
/// engine's own endpoint, which acts at once.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct MailPages {
    /// Where a new password is chosen.
    pub reset_password: Option<String>,
    /// Where an address is proven.
    pub verify_email: Option<String>,
    /// Where the holder of the old address agrees to the new one.
    pub change_email: Option<String>,
    /// Where somebody signs in who asked for a link, with the plugin `magic_link`.
    pub magic_link: Option<String>,
    /// Where somebody who is invited to an organisation sees the invitation: `/invitations` becomes
    /// `/invitations/<id>?token=…`. Unset: nobody is told of invitations by mail.
    pub invitation: Option<String>,
    /// Where a new password is asked for. It gets no token: mails that warn lead there.
    pub forgot_password: Option<String>,
}

/// What the owner of an account is told by mail without having asked. Off unless turned on, as in the reference.
// spec: SEC-12
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Notices {
    /// A sign-in from a device that was not seen before. Devices are known by a cookie, so a client without cookies is new
    /// each time.
    pub new_device: bool,
    /// So many wrong passwords or codes that no more are looked at for a while.
    pub lockout: bool,
}

/// How the app's own routes know who is there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Identity {
    /// By the session cookie, and by a bearer token if that plugin is on.
    #[default]
    Cookie,
    /// By a bearer token alone. Cookies are neither read nor set, so a foreign site has nothing to ride on and routes
    /// need no CSRF token.
    Bearer,
}

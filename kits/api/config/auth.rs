use housekey::auth::engine::Plugins;
use housekey::auth::engine::options::{
    EmailAndPassword, EmailVerification, EngineOptions, PasswordRules, StoredIdentifier, VerificationOptions,
};
use housekey::auth::engine::plugins::{BearerOptions, bearer};
use housekey::auth::events::Events;
use housekey::auth::{AuthConfig, Demands, Identity, MailPages};
use housekey::env;

/// Accounts. What is not turned on does not exist: its columns are not in the database.
///
/// After a change that needs other tables: `housekey auth:schema --diff`, then `housekey migrate`.
pub fn auth() -> AuthConfig {
    let frontend = env::<String>("FRONTEND_URL", "http://localhost:5173");

    AuthConfig {
        // In the routes of this app `authorization: Bearer <token>` says who is there, and nothing else does. They neither
        // read nor set the cookie of a session, so another site has nothing to ride on.
        identity: Identity::Bearer,

        // Whether the engine's own endpoints are served below `base_path`, for clients that speak Better Auth. Those of
        // this API are in src/routes/api.rs and need none of them.
        mount: env("AUTH_MOUNT", true),

        // The database connection that holds the tables. None: the default one.
        connection: None,

        // What an action on an account asks for first: at routes of ours with `middleware("action:change-password")` and
        // at the engine's endpoints. `housekey route:list` shows it; `POST /api/password/confirm` takes the password. One
        // line changes one action, such as `.ask(Action::RevokeSessions, [])`.
        demands: Demands::default(),

        // What happened to accounts is logged, and kept for so many days: `housekey auth:events` shows it. Run
        // `housekey auth:prune` once a day, it removes what is older.
        events: Events::kept(90),

        // Links in mails lead to pages of the client, which ask first and then send the token to this API.
        mail_pages: MailPages {
            reset_password: Some(format!("{frontend}/reset-password")),
            verify_email: Some(format!("{frontend}/verify-email")),
            ..Default::default()
        },

        engine: EngineOptions {
            // Signs tokens and links. `housekey auth:secret` writes one to .env.
            secret: env::<String>("AUTH_SECRET", "").into(),
            base_url: env("APP_URL", "http://localhost:3000"),
            base_path: "/api/auth".into(),

            email_and_password: EmailAndPassword {
                enabled: true,
                disable_sign_up: !env::<bool>("AUTH_SIGN_UP", true),
                min_password_length: 8,
                // Refused wherever a password is set: those that most people use, and little more than a name or an
                // address. `is_compromised` asks a service that knows stolen ones.
                password_rules: PasswordRules {
                    refuse_common: true,
                    refuse_personal: true,
                    ..Default::default()
                },
                ..Default::default()
            },

            // A link is sent at sign-up; `middleware("verified")` asks whether it was opened.
            email_verification: EmailVerification { send_on_sign_up: Some(true), ..Default::default() },

            // Links in mails lie in the database as hashes: who reads it can use none.
            verification: VerificationOptions {
                store_identifier: StoredIdentifier::Hashed,
                ..Default::default()
            },

            // Only signed tokens: whoever reads the session table still cannot sign in with what stands there.
            plugins: Plugins::from([bearer(BearerOptions { require_signature: true })]),

            ..Default::default()
        },

        ..Default::default()
    }
}

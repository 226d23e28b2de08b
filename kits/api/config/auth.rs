use housekey::auth::config::*;

/// Accounts. What is not turned on does not exist: its columns are not in the database.
///
/// `..secure()` is the guide's "Secure settings", `..default()` what the engine has by itself; a line here decides instead of
/// either, and `housekey config:show auth` shows the outcome. After a change that needs other tables: `housekey
/// auth:schema --diff`, then `housekey migrate`.
pub fn auth() -> AuthConfig {
    let frontend = env::<String>("FRONTEND_URL", "http://localhost:5173");
    let key = |name| env::<String>(name, "");
    let mut google = Provider::google(key("GOOGLE_CLIENT_ID"), key("GOOGLE_CLIENT_SECRET"));
    for app in env_list::<String>("GOOGLE_APP_CLIENT_IDS") {
        google = google.also_for(app);
    }

    AuthConfig {
        // In the routes of this app `authorization: Bearer <token>` says who is there, and nothing else does. They neither
        // read nor set the cookie of a session, so another site has nothing to ride on.
        identity: Identity::Bearer,

        // Whether the engine's own endpoints are served below /api/auth, for clients that speak Better Auth. Those of
        // this API are in src/routes/api.rs and need none of them.
        mount: env("AUTH_MOUNT", true),

        // Links in mails lead to pages of the client, which ask first and then send the token to this API.
        mail_pages: MailPages {
            reset_password: Some(format!("{frontend}/reset-password")),
            verify_email: Some(format!("{frontend}/verify-email")),
            ..default()
        },

        // What an action on an account asks for first, at our routes (`middleware("action:change-password")`) and at the
        // engine's endpoints; `POST /api/password/confirm` takes the password. One line changes one action:
        // `Demands::default().ask(Action::RevokeSessions, [])`.
        demands: default(),

        // Days for which what happened to accounts is kept: `housekey auth:events` shows it. Run `housekey auth:prune` once a
        // day, it removes what is older.
        events: Events::kept(90),

        plugins: Plugins::from([
            // Only signed tokens: whoever reads the session table still cannot sign in with what stands there.
            bearer(default()),
            // Keys for programs, which people make at /api/auth/api-key/create. Routes say where they are taken: `middleware("auth:api-key")`.
            api_key(default()),
        ]),

        engine: EngineOptions {
            // Signs tokens and links. `housekey auth:secret` writes one to .env.
            secret: env("AUTH_SECRET", ""),
            base_url: env("APP_URL", "http://localhost:3000"),

            email_and_password: EmailAndPassword {
                enabled: true,
                disable_sign_up: !env::<bool>("AUTH_SIGN_UP", true),
                min_password_length: 8,
                ..secure()
            },

            // A link is sent at sign-up; `middleware("verified")` asks whether it was opened.
            email_verification: EmailVerification { send_on_sign_up: Some(true), ..default() },

            // Signing in with others, at the engine's endpoints: README.md tells how. A provider whose variables are empty does
            // not exist. `also_for` names apps for phones, whose id tokens are taken too.
            social_providers: SocialProviders::from([
                google,
                Provider::github(key("GITHUB_CLIENT_ID"), key("GITHUB_CLIENT_SECRET")),
            ]),

            // Where people may be sent after that: pages of the client.
            trusted_origins: vec![frontend],

            // What the providers gave us for our people: who reads the database can use none of it.
            account: secure(),

            // Links in mails lie in the database as hashes: who reads it can use none.
            verification: secure(),

            ..default()
        },

        ..default()
    }
}

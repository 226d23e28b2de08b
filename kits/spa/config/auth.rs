use housekey::auth::config::*;

/// Accounts. What is not turned on does not exist: its endpoint is a 404 and its columns are not in the database.
///
/// `..secure()` is the guide's "Secure settings", `..default()` what the engine has by itself; a line here decides instead of
/// either, and `housekey config:show auth` shows the outcome. After a change that needs other tables: `housekey
/// auth:schema --diff`, then `housekey migrate`.
pub fn auth() -> AuthConfig {
    let key = |name| env::<String>(name, "");

    AuthConfig {
        // Whether the engine's endpoints are served below /api/auth.
        mount: env("AUTH_MOUNT", true),

        // Where somebody who is not signed in, is signed in already, or has not confirmed their address is sent.
        redirect_guests_to: "/auth/sign-in".into(),
        redirect_members_to: "/dashboard".into(),
        redirect_unverified_to: "/verify-email".into(),

        // Links in mails lead to pages that ask first: a mail scanner that opens every link changes nothing.
        mail_pages: MailPages {
            reset_password: Some("/auth/reset-password".into()),
            verify_email: Some("/auth/verify-email".into()),
            change_email: Some("/auth/change-email".into()),
            forgot_password: Some("/auth/forgot-password".into()),
            magic_link: Some("/auth/magic-link".into()),
            // Nobody is invited here: invitations come with `housekey add organizations`.
            invitation: None,
        },

        // Seconds for which a password that was entered again counts.
        confirm_window: env("AUTH_CONFIRM_WINDOW", 10_800_u64),

        // What an action on an account asks for first, at our routes (`middleware("action:delete-account")`) and at the engine's
        // endpoints. One line changes one action: `Demands::default().ask(Action::RenamePasskey, [])`.
        demands: default(),

        // Days for which what happened to accounts is kept: people see their own beside their sessions, `housekey auth:events`
        // shows everybody's. Run `housekey auth:prune` once a day, it removes what is older.
        events: Events::kept(90),

        plugins: Plugins::from([
            two_factor(secure()),
            // People see when each of their passkeys was used last.
            passkey(PasskeyOptions { track_last_use: true, ..secure() }),
            // More ways in, a line each; their pages are there already. By mail: `magic_link(secure())`, `email_otp(secure())`. With
            // a name beside the address: `username(secure())`. With several accounts at once: `multi_session(secure())`. And
            // `captcha(…)` keeps programs away from the forms: the guide's "Captchas".
        ]),

        engine: EngineOptions {
            // Signs sessions and links. `housekey auth:secret` writes one to .env.
            secret: env("AUTH_SECRET", ""),
            base_url: env("APP_URL", "http://localhost:3000"),

            email_and_password: EmailAndPassword {
                enabled: true,
                min_password_length: 8,
                // Off: people are in at once and prove their address later, and the sign-up tells anybody whether an address
                // has an account. On: nobody learns that, and nobody is in before they opened the link in their mail.
                require_email_verification: false,
                ..secure()
            },

            // A link is sent at sign-up, and again at a sign-in that is refused for want of it. `middleware("verified")` asks
            // whether it was opened.
            email_verification: EmailVerification {
                send_on_sign_up: Some(true),
                send_on_sign_in: true,
                ..default()
            },

            // Signing in with others. A provider whose variables are empty does not exist: no button, and its addresses are a
            // 404. `housekey auth:providers` tells the address to register at each.
            social_providers: SocialProviders::from([
                Provider::google(key("GOOGLE_CLIENT_ID"), key("GOOGLE_CLIENT_SECRET")),
                Provider::github(key("GITHUB_CLIENT_ID"), key("GITHUB_CLIENT_SECRET")),
                // Any other that speaks OpenID Connect, by the address it goes by.
                Provider::oidc(
                    "openid",
                    key("OPENID_ISSUER"),
                    key("OPENID_CLIENT_ID"),
                    key("OPENID_CLIENT_SECRET"),
                )
                .with_name(env::<String>("OPENID_NAME", "OpenID")),
            ]),
            social: SocialOptions {
                // Where the code of the second factor is asked for after such a sign-in.
                second_factor_url: Some("/auth/two-factor-challenge".into()),
                // Whether a provider may be in the server's own network, where a visitor could not reach it otherwise.
                allow_private_addresses: env("OPENID_ALLOW_PRIVATE", false),
                ..default()
            },
            // Where a sign-in ends that came back without a word about where it began.
            on_api_error: OnApiError { error_url: Some("/auth/sign-in".into()), ..default() },

            user: UserOptions {
                // An address that was confirmed changes only with the consent of its holder, one that never was at once.
                change_email: ChangeEmail {
                    enabled: true,
                    update_email_without_verification: true,
                    ..secure()
                },
                delete_user: DeleteUser { enabled: true, ..default() },
                ..secure()
            },

            // Seconds after sign-in at which everybody signs in again, however often they came by.
            session: SessionOptions {
                max_lifetime: env("AUTH_SESSION_LIFETIME", 30 * 86_400_u32),
                ..secure()
            },

            ..secure()
        },

        ..secure()
    }
}

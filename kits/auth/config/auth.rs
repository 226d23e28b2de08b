use housekey::auth::engine::Plugins;
use housekey::auth::engine::options::{
    AdvancedOptions, ChangeEmail, DeleteUser, EmailAndPassword, EmailVerification, EngineOptions,
    PasswordRules, SessionOptions, StoredIdentifier, UserOptions, VerificationOptions,
};
use housekey::auth::engine::plugins::passkey::{AuthenticatorSelection, Requirement};
use housekey::auth::engine::plugins::two_factor::{
    BackupCodeOptions, OtpOptions, StoredBackupCodes, StoredOtp, TwoFactorOptions,
};
use housekey::auth::engine::plugins::{PasskeyOptions, passkey, two_factor};
use housekey::auth::events::Events;
use housekey::auth::{AuthConfig, Demands, MailPages, Notices};
use housekey::env;

/// Accounts. What is not turned on does not exist: its endpoint is a 404 and its columns are not in the database.
///
/// After a change that needs other tables: `housekey auth:schema --diff`, then `housekey migrate`.
pub fn auth() -> AuthConfig {
    AuthConfig {
        // Whether the engine's endpoints are served below `base_path`.
        mount: env("AUTH_MOUNT", true),

        // The database connection that holds the tables. None: the default one.
        connection: None,

        // Where somebody who is not signed in, is signed in already, or has not confirmed their address is sent.
        redirect_guests_to: crate::places::SIGN_IN.into(),
        redirect_members_to: crate::places::DASHBOARD.into(),
        redirect_unverified_to: crate::places::VERIFY_EMAIL.into(),

        // Seconds for which a password that was entered again counts.
        confirm_window: env("AUTH_CONFIRM_WINDOW", 10_800_u64),

        // What an action on an account asks for first: at our routes (`middleware("action:delete-account")`) and at the
        // engine's endpoints. `housekey route:list` shows it. One line changes one action, such as
        // `.ask(Action::RenamePasskey, [])`.
        demands: Demands::default(),

        // What happened to accounts is logged, and kept for so many days: people see their own on the page of their sessions,
        // `housekey auth:events` shows everybody's. Run `housekey auth:prune` once a day, it removes what is older.
        events: Events::kept(90),

        // Links in mails lead to pages that ask first: a mail scanner that opens every link changes nothing.
        mail_pages: MailPages {
            reset_password: Some(crate::places::RESET_PASSWORD.into()),
            verify_email: Some(crate::places::CONFIRM_EMAIL.into()),
            change_email: Some(crate::places::CONFIRM_NEW_EMAIL.into()),
            forgot_password: Some(crate::places::FORGOT_PASSWORD.into()),
        },

        // What people are told by mail without having asked: that somebody signed in from a device that was not seen
        // before, and that somebody gave so many wrong passwords or codes that no more are looked at for a while.
        notices: Notices { new_device: true, lockout: true },

        engine: EngineOptions {
            // Signs sessions and links. `housekey auth:secret` writes one to .env.
            secret: env::<String>("AUTH_SECRET", "").into(),
            base_url: env("APP_URL", "http://localhost:3000"),
            base_path: "/api/auth".into(),

            email_and_password: EmailAndPassword {
                enabled: true,
                min_password_length: 8,
                // Off: people are in at once and prove their address later, and the sign-up tells anybody whether an address
                // has an account. On: nobody learns that, and nobody is in before they opened the link in their mail.
                require_email_verification: false,
                // Then a sign-in before that is refused like one with a wrong password: the reason would tell, too.
                hide_unverified: true,
                // Refused wherever a password is set: those that most people use, and little more than a name or an
                // address. `is_compromised` asks a service that knows stolen ones.
                password_rules: PasswordRules {
                    refuse_common: true,
                    refuse_personal: true,
                    ..Default::default()
                },
                ..Default::default()
            },

            // A link is sent at sign-up; `middleware("verified")` asks whether it was opened. Where that comes first, a
            // sign-in before it sends the link again.
            email_verification: EmailVerification {
                send_on_sign_up: Some(true),
                send_on_sign_in: true,
                ..Default::default()
            },

            user: UserOptions {
                // An address that was confirmed changes only with the consent of its holder.
                change_email: ChangeEmail {
                    enabled: true,
                    update_email_without_verification: true,
                    // Until then it can be called off, and its links are worth nothing after that.
                    cancellable: true,
                    // Whoever else is signed in to the account has to sign in again.
                    revoke_other_sessions: true,
                    ..Default::default()
                },
                delete_user: DeleteUser { enabled: true, ..Default::default() },
                ..Default::default()
            },

            session: SessionOptions {
                // Seconds after sign-in at which everybody signs in again, however often they came by.
                max_lifetime: env("AUTH_SESSION_LIFETIME", 30 * 86_400_u32),
                // A browser has one session: a new sign-in ends the one before it.
                revoke_on_sign_in: true,
                ..Default::default()
            },

            // Links in mails, challenges and trusted devices lie in the database as hashes: who reads it can use none.
            verification: VerificationOptions {
                store_identifier: StoredIdentifier::Hashed,
                ..Default::default()
            },

            plugins: Plugins::from([
                two_factor(TwoFactorOptions {
                    // Recovery codes are shown once, when they are made.
                    backup_codes: BackupCodeOptions {
                        store_backup_codes: StoredBackupCodes::Hashed,
                        ..Default::default()
                    },
                    // For `send_otp`. Encrypted, because a hash of six digits is guessed in a moment.
                    otp: OtpOptions { store_otp: StoredOtp::Encrypted, ..Default::default() },
                    // Whoever else is signed in has not shown the new factor.
                    revoke_other_sessions: true,
                    ..Default::default()
                }),
                passkey(PasskeyOptions {
                    // A fingerprint, a face or a PIN every time: having the key is not enough.
                    authenticator_selection: AuthenticatorSelection {
                        user_verification: Requirement::Required,
                        ..Default::default()
                    },
                    // People see when each of their passkeys was used last.
                    track_last_use: true,
                    ..Default::default()
                }),
            ]),

            // Behind https, cookies that no other host of the domain can set (`__Host-`).
            advanced: AdvancedOptions { use_host_cookies: true, ..Default::default() },

            ..Default::default()
        },

        ..Default::default()
    }
}

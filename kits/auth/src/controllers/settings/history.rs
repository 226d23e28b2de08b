use housekey::auth::events::KeptEvent;
use housekey::auth::social_providers;
use housekey::prelude::*;

/// How many things of the past a page shows.
pub const SHOWN: u32 = 10;

/// What happened to an account, in words for its owner.
pub fn what_happened(event: &KeptEvent) -> String {
    let detail = |name: &str| event.detail.as_ref().and_then(|detail| detail[name].as_str());
    let words = match event.kind.as_str() {
        "sign-up" => "The account was made",
        "sign-in" => match detail("method") {
            Some("password") => "Signed in with the password",
            Some("passkey") => "Signed in with a passkey",
            Some("totp" | "otp") => "Signed in with a code",
            Some("backup-code") => "Signed in with a recovery code",
            Some("email-link" | "magic-link") => "Signed in with a link",
            Some("email-otp") => "Signed in with a code from a mail",
            Some("device-authorization") => "A device was signed in",
            Some("one-time-token") => "Signed in from another app",
            Some("anonymous") => "Looked around without an account",
            Some("username") => "Signed in with the username",
            Some("social") => {
                let name = provider_name(detail("provider"));
                return t!("Signed in with :name", name);
            }
            _ => "Signed in",
        },
        "sign-in-refused" => match detail("reason") {
            Some("wrong-password") => "Sign-in with a wrong password",
            _ if detail("method") == Some("social") => "Sign-in with another account that was refused",
            _ => "Sign-in that was refused",
        },
        "sign-out" => "Signed out",
        "locked" => "Locked for a while after too many tries",
        "confirmation-refused" => "A wrong password was entered",
        "second-factor-asked" => "Right password, then asked for a code",
        "second-factor-refused" => "A wrong code was entered",
        "device-trusted" => "A device needs no code for a while",
        "two-factor-enabled" => "Two-factor was turned on",
        "two-factor-disabled" => "Two-factor was turned off",
        "backup-codes-regenerated" => "New recovery codes were made",
        "passkey-added" => "A passkey was added",
        "passkey-renamed" => "A passkey was renamed",
        "passkey-removed" => "A passkey was removed",
        "password-reset-asked" => "Somebody asked for a new password",
        "password-reset" => "The password was set anew by mail",
        "password-changed" => "The password was changed",
        "password-set" => "A password was set",
        "email-change-asked" => "Somebody asked to change the e-mail",
        "email-change-agreed" => "The old e-mail agreed to the change",
        "email-changed" => "The e-mail was changed",
        "email-change-cancelled" => "The change of e-mail was called off",
        "email-verified" => "The e-mail was confirmed",
        "session-revoked" => "A session was ended",
        "sessions-revoked" => match detail("scope") {
            Some("others") => "All other sessions were ended",
            _ => "All sessions were ended",
        },
        "account-linked" => {
            let name = provider_name(detail("provider"));
            return t!(":name was connected", name);
        }
        "account-unlinked" => {
            let name = provider_name(detail("provider"));
            return t!(":name was disconnected", name);
        }
        "device-approved" => "A device was let in",
        "device-denied" => "A device was turned away",
        "api-key-created" => "An API key was made",
        "api-key-changed" => "An API key was changed",
        "api-key-deleted" => "An API key was deleted",
        // What a plugin of the app has to tell, under its own name.
        other => return t(other),
    };
    t(words)
}

/// What a provider is called on its button. One that was taken out of `config/auth.rs` since is still part of what happened.
fn provider_name(id: Option<&str>) -> String {
    let Some(id) = id else { return t("Another provider") };
    let known = social_providers().into_iter().find(|provider| provider.id == id);
    known.map_or_else(|| id.to_owned(), |provider| provider.name)
}

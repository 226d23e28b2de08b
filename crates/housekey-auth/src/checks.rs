use housekey_cache::Cache;
use housekey_core::{AppConfig, EncryptionConfig, Error, Result, constant_time_eq};
use housekey_engine::Plugins;
use housekey_engine::options::{EngineOptions, SHORTEST_SECRET, WeakSecret};
use housekey_engine::plugins::magic_link::MagicLinkOptions;
use housekey_engine::plugins::organization::OrganizationOptions;
use housekey_http::Registrar;

use crate::AuthConfig;

/// What can be wrong with an app's accounts before anyone visits.
pub(crate) fn check(
    app: &mut Registrar<'_>,
    options: &EngineOptions,
    plugins: &Plugins,
    cache: &Cache,
) -> Result<()> {
    let is_production = app.config().get::<AppConfig>().env.is_production();
    let key = app.config().get::<EncryptionConfig>();
    let app_key = key.key.reveal();
    let bare_key = app_key.strip_prefix("base64:").unwrap_or(app_key);
    let mut secrets =
        std::iter::once(&options.secret).chain(options.secrets.iter().map(|older| &older.value));
    if secrets.any(|secret| {
        let secret = secret.reveal();
        !secret.is_empty() && (same(secret, app_key) || same(secret, bare_key))
    }) {
        return Err(Error::internal(
            "AUTH_SECRET and APP_KEY are the same: whoever learns one has both. Run `housekey auth:secret --force` for a \
             secret of its own",
        ));
    }
    if let Some(weak) = options.weak_secret().filter(|_| !is_production) {
        app.warn(warning_about(weak, options));
    }
    for option in plugins.unread(options) {
        let effect = match option.as_str() {
            "other.socialProviders" => {
                "this build has no social sign-in, which the cargo feature `social` brings"
            }
            _ => "it has no effect",
        };
        app.warn(format!(
            "config/auth.rs sets `{option}`, which nothing reads yet: {effect}. Take it out, or add the plugin that reads it (a \
             plugin of your own says so with `Plugin::reads`).",
        ));
    }
    if options.session.cookie_cache.enabled && cache.store_name() == "memory" {
        app.warn(
            "auth.session.cookie_cache is on and CACHE_STORE is `memory`: with more than one process a session that was \
             ended in one lives on in the others. Set CACHE_STORE to file, database or redis.",
        );
    }
    let sends_invitations = |organizations: &OrganizationOptions| organizations.send_invitation.is_set();
    let has_page = app.config().get::<AuthConfig>().mail_pages.invitation.is_some();
    if let Some(organizations) = plugins.state::<OrganizationOptions>("organization")
        && !has_page
        && !sends_invitations(&organizations)
    {
        app.warn(
            "config/auth.rs has organizations, and nobody is told of an invitation: set `mail_pages.invitation` to the page that \
             shows one (`Some(\"/invitations\".into())`), or `send_invitation` of the plugin.",
        );
    }
    let links = plugins.state::<MagicLinkOptions>("magic-link");
    let acts_at_once =
        |links: &MagicLinkOptions| links.confirm_url.is_none() && !links.send_magic_link.is_set();
    if links.is_some_and(|links| acts_at_once(&links))
        && app.config().get::<AuthConfig>().mail_pages.magic_link.is_none()
    {
        app.warn(
            "config/auth.rs has links to sign in with, and whatever opens one spends it: programs that look through mails do. Set \
             `mail_pages.magic_link` to a page that asks first (`Some(\"/magic-link\".into())`).",
        );
    }
    if plugins.contains("passkey") && !is_trustworthy(&options.base_url) {
        app.warn(format!(
            "passkeys need https: browsers refuse them on {}. Set APP_URL to an https address, or to http://localhost \
             while developing.",
            options.base_url
        ));
    }
    Ok(())
}

/// Production refuses to boot with such a secret; elsewhere it is said early enough to be mended.
// spec: CFG-4
fn warning_about(weak: WeakSecret, options: &EngineOptions) -> String {
    let name = if options.secrets.is_empty() {
        "AUTH_SECRET, which config/auth.rs reads,"
    } else {
        "the newest of `secrets` in config/auth.rs"
    };
    let danger = if weak.is_missing() {
        "everybody is signed out whenever the app starts anew"
    } else {
        "whoever guesses it can sign in as anybody"
    };
    let remedy = match (options.secrets.is_empty(), weak.is_missing()) {
        (true, true) => "Run `housekey auth:secret`: it writes a good one to .env.",
        (true, false) => "Run `housekey auth:secret --force`: it writes a good one to .env.",
        (false, _) => "Put one of `housekey auth:secret --show` in its place.",
    };
    format!(
        "{name} {weak}: {danger}, and production does not start with less than {SHORTEST_SECRET} characters. {remedy}"
    )
}

fn same(one: &str, other: &str) -> bool {
    constant_time_eq(one.as_bytes(), other.as_bytes())
}

/// Where a browser lets a page use passkeys.
fn is_trustworthy(url: &str) -> bool {
    let Some(rest) = url.strip_prefix("http://") else { return true };
    let host = rest.split(['/', ':']).next().unwrap_or_default();
    host == "localhost" || host.ends_with(".localhost")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_https_and_localhost_are_trustworthy() {
        for good in ["https://shop.example", "http://localhost:3000", "http://shop.localhost/path"] {
            assert!(is_trustworthy(good), "{good}");
        }
        for bad in ["http://127.0.0.1:3000", "http://shop.example", "http://localhost.example"] {
            assert!(!is_trustworthy(bad), "{bad}");
        }
    }
}

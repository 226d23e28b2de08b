use housekey_cache::Cache;
use housekey_core::{EncryptionConfig, Error, Result, constant_time_eq};
use housekey_engine::options::EngineOptions;
use housekey_http::Registrar;

/// What can be wrong with an app's accounts before anyone visits.
pub(crate) fn check(app: &mut Registrar<'_>, options: &EngineOptions, cache: &Cache) -> Result<()> {
    let key = app.config().get::<EncryptionConfig>();
    let secret = options.secret.reveal();
    let app_key = key.key.reveal();
    let bare_key = app_key.strip_prefix("base64:").unwrap_or(app_key);
    if !secret.is_empty() && (same(secret, app_key) || same(secret, bare_key)) {
        return Err(Error::internal(
            "AUTH_SECRET and APP_KEY are the same: whoever learns one has both. Run `housekey auth:secret --force` for a \
             secret of its own",
        ));
    }
    if options.session.cookie_cache.enabled && cache.store_name() == "memory" {
        app.warn(
            "auth.session.cookie_cache is on and CACHE_STORE is `memory`: with more than one process a session that was \
             ended in one lives on in the others. Set CACHE_STORE to file, database or redis.",
        );
    }
    if options.plugins.iter().any(|plugin| plugin.id() == "passkey") && !is_trustworthy(&options.base_url) {
        app.warn(format!(
            "passkeys need https: browsers refuse them on {}. Set APP_URL to an https address, or to http://localhost \
             while developing.",
            options.base_url
        ));
    }
    Ok(())
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

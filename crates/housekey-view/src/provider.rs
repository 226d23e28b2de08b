use std::sync::Arc;

use housekey_core::{AppConfig, EncryptionConfig, Result};
use housekey_http::config::AssetsConfig;
use housekey_http::security::{CspConfig, SecurityConfig};
use housekey_http::{Provider, Registrar};

use crate::ViewConfig;
use crate::assets::Assets;
use crate::errors::ErrorPages;
use crate::settings::ViewSettings;

/// Brings views into an app: asset tags, the shell, error pages. The facade adds it to every app.
#[derive(Clone, Copy, Debug, Default)]
pub struct ViewProvider;

impl Provider for ViewProvider {
    fn name(&self) -> &'static str {
        "view"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config();
        let settings = Arc::new(ViewSettings {
            app: (*config.get::<AppConfig>()).clone(),
            view: (*config.get::<ViewConfig>()).clone(),
        });
        let assets_config = config.get::<AssetsConfig>();
        let policy = &config.get::<SecurityConfig>().csp;
        let assets = Assets::new(&assets_config, app.paths(), &settings.app.env)
            .with_nonce_everywhere(!allows_own_files(policy));
        let secrets = secrets(&config.get::<EncryptionConfig>());

        // A deployment without its build should be noticed before the first visitor does.
        if !assets_config.entries.is_empty()
            && !settings.app.env.is_development()
            && let Err(problem) = assets.check()
        {
            app.warn(problem.to_string());
        }
        app.services().insert(assets);
        app.services().insert_shared(settings.clone());
        app.error_renderer(ErrorPages::new(settings, secrets));
        Ok(())
    }
}

/// Whether the policy lets scripts and styles of our own origin in without a nonce.
fn allows_own_files(policy: &CspConfig) -> bool {
    let allows = |directive: &[String]| {
        let list = if directive.is_empty() { &policy.default_src } else { directive };
        list.is_empty()
            || list.iter().any(|source| source == "'self'")
                && !list.iter().any(|source| source == "'strict-dynamic'")
    };
    !policy.enabled || allows(&policy.script_src) && allows(&policy.style_src)
}

fn secrets(config: &EncryptionConfig) -> Vec<String> {
    let keys = std::iter::once(&config.key).chain(&config.previous_keys).map(|key| key.reveal());
    // Also without the prefix that says how it is written.
    keys.flat_map(|key| [key, key.trim_start_matches("base64:")])
        .filter(|key| key.len() >= 8)
        .map(str::to_owned)
        .collect()
}

//! A captcha in front of endpoints: Cloudflare Turnstile, hCaptcha, Google reCAPTCHA (v2 and v3).
//!
//! The page shows the provider's widget and sends what it answers in the header `x-captcha-response`. The engine asks the provider
//! whether it is true before the endpoint is reached.
//!
//! ```
//! use housekey_engine::options::EngineOptions;
//! use housekey_engine::plugins::captcha::{CaptchaOptions, captcha};
//! use housekey_engine::Engine;
//!
//! let turnstile = CaptchaOptions::turnstile("the secret key");
//! let builder = Engine::builder(EngineOptions::default()).plugins([captcha(turnstile)]);
//! # let _ = builder;
//! ```
//!
//! Without [`endpoints`](CaptchaOptions::endpoints) it stands before every endpoint of the engine and its plugins where somebody who is
//! not signed in can guess at a password, make an account or have a mail sent to an address that they typed. Server code that has a
//! form of its own asks with [`check`].
//!
//! # Where this differs from the reference
//!
//! - Without a list it stands before the endpoints of other plugins too: `/sign-in/username` is a door to the same password as
//!   `/sign-in/email`, which the reference guards with two others alone.
//! - A pattern that is no endpoint's is refused when the engine is built.
//! - Requests are limited before the provider is asked: a flood does not become one of ours.
//! - [`when_unavailable`](CaptchaOptions::when_unavailable) can let people in while the provider is down.
//! - The other providers of the reference (CaptchaFox, Vercel BotID) are not here.

mod check;
mod codes;
mod options;
mod paths;
mod provider;
mod siteverify;

use std::sync::Arc;

pub use check::check;
pub use codes::{MISSING_RESPONSE, UNKNOWN_ERROR, VERIFICATION_FAILED};
pub use options::CaptchaOptions;
pub use provider::CaptchaProvider;

pub use crate::http_client::WhenUnavailable;
use crate::{Api, ApiError, Plugin, Result};

const RESPONSE: &str = "x-captcha-response";

/// A captcha in front of endpoints: Cloudflare Turnstile, hCaptcha, Google reCAPTCHA (v2 and v3).
pub fn captcha(options: CaptchaOptions) -> Plugin {
    let plugin = Plugin::new("captcha");
    if options.secret_key.is_empty() {
        return plugin.problem("a captcha needs the secret key that its provider gave you");
    }
    let client = options.client();
    let listed = options.clone();
    plugin
        .path_check(move |paths| {
            let pattern = paths::misspelt(&listed.endpoints, paths)?;
            Some(format!(
                "the captcha is to stand before `{pattern}`, and there is no such endpoint: a path begins with `/`, without the base \
                 path, as in `/sign-in/email`; `*` stands for anything within a segment and `**` for anything at all"
            ))
        })
        .before(|api| {
            Box::pin(async move {
                let options = options_of(api)?;
                if !options.protects(api.request().path()) {
                    return Ok(());
                }
                let response = api.request().header(RESPONSE).map(str::to_owned);
                let address = api.client_address().and_then(|address| address.parse().ok());
                check(api, response.as_deref(), address).await
            })
        })
        .engine_state(move || check::Client(Arc::clone(&client)))
        .state(Arc::new(options))
}

/// The plugin's options, as far as the engine has the plugin.
fn options_of(api: &Api) -> Result<Arc<CaptchaOptions>> {
    let options = api.plugin_state();
    options.ok_or_else(|| {
        ApiError::internal("the captcha plugin was called", "it is not among the engine's plugins")
    })
}

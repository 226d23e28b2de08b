use std::sync::Arc;
use std::time::Duration;

use super::CaptchaProvider;
use super::paths::is_guarded;
use crate::Secret;
use crate::http_client::{HttpClient, TlsClient, WhenUnavailable};
use crate::options::Shared;

/// The options of the plugin. [`turnstile`](Self::turnstile), [`hcaptcha`](Self::hcaptcha) and
/// [`recaptcha`](Self::recaptcha) begin with what each needs.
#[derive(Clone, Debug)]
pub struct CaptchaOptions {
    pub provider: CaptchaProvider,
    /// What the provider gave for the server's side. An engine without it is not built.
    pub secret_key: Secret,
    /// The paths that it stands before; `*` stands for anything up to the next `/`, `**` for anything at all. Empty: every endpoint
    /// where somebody who is not signed in guesses at a password, makes an account or has a mail sent. One that is no endpoint's is
    /// refused when the engine is built.
    pub endpoints: Vec<String>,
    /// Another address to ask than the provider's own.
    pub site_verify_url: Option<String>,
    /// What the provider gave for the page's side (hCaptcha): a response of another site is then refused.
    pub site_key: Option<String>,
    /// The least that reCAPTCHA v3 must think of a visitor, from 0 to 1. Answers without a score are of v2.
    pub min_score: f64,
    /// What the visitor must have wanted to do (Turnstile, reCAPTCHA v3).
    pub expected_action: Option<String>,
    /// The hosts that the widget may have been shown on (Turnstile, reCAPTCHA). Empty: any that the provider allows.
    pub allowed_hostnames: Vec<String>,
    /// What happens while the provider cannot be asked.
    pub when_unavailable: WhenUnavailable,
    pub timeout: Duration,
    /// Whether the address may be of one's own network, and there without TLS: for tests, and for a service of one's own.
    pub allow_private_addresses: bool,
    /// Speaks to the provider. Unset: a [`TlsClient`].
    pub http_client: Shared<dyn HttpClient>,
}

impl Default for CaptchaOptions {
    fn default() -> Self {
        Self {
            provider: CaptchaProvider::CloudflareTurnstile,
            secret_key: Secret::default(),
            endpoints: Vec::new(),
            site_verify_url: None,
            site_key: None,
            min_score: 0.5,
            expected_action: None,
            allowed_hostnames: Vec::new(),
            when_unavailable: WhenUnavailable::Refuse,
            timeout: Duration::from_secs(10),
            allow_private_addresses: false,
            http_client: Shared::unset(),
        }
    }
}

impl CaptchaOptions {
    /// Cloudflare Turnstile.
    pub fn turnstile(secret_key: impl Into<Secret>) -> Self {
        Self::of(CaptchaProvider::CloudflareTurnstile, secret_key)
    }

    pub fn hcaptcha(secret_key: impl Into<Secret>) -> Self {
        Self::of(CaptchaProvider::HCaptcha, secret_key)
    }

    /// Google reCAPTCHA: v2 and v3 by their answers.
    pub fn recaptcha(secret_key: impl Into<Secret>) -> Self {
        Self::of(CaptchaProvider::GoogleRecaptcha, secret_key)
    }

    fn of(provider: CaptchaProvider, secret_key: impl Into<Secret>) -> Self {
        Self { provider, secret_key: secret_key.into(), ..Self::default() }
    }

    /// Whether it protects an endpoint, by its path below the base path: a form of the app's own that does the same asks here,
    /// so that both doors are alike.
    ///
    /// ```
    /// use housekey_engine::plugins::captcha::CaptchaOptions;
    ///
    /// let turnstile = CaptchaOptions::turnstile("the secret key");
    /// assert!(turnstile.protects("/sign-up/email") && !turnstile.protects("/sign-out"));
    /// ```
    pub fn protects(&self, path: &str) -> bool {
        is_guarded(&self.endpoints, path)
    }

    pub(super) fn client(&self) -> Arc<dyn HttpClient> {
        match &*self.http_client {
            Some(client) => Arc::clone(client),
            None => Arc::new(TlsClient::new(self.allow_private_addresses).with_timeout(self.timeout)),
        }
    }
}

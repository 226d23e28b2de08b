//! What a provider is asked, and what it answers.

use std::net::IpAddr;

use http::Method;
use serde::Serialize;
use serde_json::{Map, Value};

use super::{CaptchaOptions, CaptchaProvider};
use crate::http_client::HttpRequest;

/// The question whether a response is true.
pub(super) fn question(options: &CaptchaOptions, response: &str, address: Option<IpAddr>) -> HttpRequest {
    let provider = options.provider;
    let url = options.site_verify_url.as_deref().unwrap_or(provider.site_verify_url());
    let address = address.map(|address| address.to_string());
    let secret = options.secret_key.reveal();
    if provider == CaptchaProvider::CloudflareTurnstile {
        let question = Question { secret, response, remoteip: address.as_deref() };
        let body = serde_json::to_string(&question).unwrap_or_default().into();
        let request = HttpRequest { method: Method::POST, body, ..HttpRequest::get(url) };
        return request.header("content-type", "application/json");
    }
    let mut form = vec![("secret", secret), ("response", response)];
    if let (CaptchaProvider::HCaptcha, Some(site_key)) = (provider, &options.site_key) {
        form.push(("sitekey", site_key));
    }
    form.extend(address.as_deref().map(|address| ("remoteip", address)));
    HttpRequest::post(url, &form)
}

/// What Turnstile is asked.
#[derive(Serialize)]
struct Question<'a> {
    secret: &'a str,
    response: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    remoteip: Option<&'a str>,
}

/// What a provider answers: an object, of which nothing can be relied on.
pub(super) struct Verdict(Map<String, Value>);

impl Verdict {
    pub(super) fn new(answer: Map<String, Value>) -> Self {
        Self(answer)
    }

    fn text(&self, field: &str) -> Option<&str> {
        self.0.get(field).and_then(Value::as_str)
    }

    /// Why it is not good enough; for the log.
    pub(super) fn refusal(&self, options: &CaptchaOptions) -> Option<&'static str> {
        // The word `true`, and nothing that JavaScript would take for it.
        if self.0.get("success") != Some(&Value::Bool(true)) {
            return Some("the provider does not believe it");
        }
        let has_action = options.provider != CaptchaProvider::HCaptcha;
        if options.provider == CaptchaProvider::GoogleRecaptcha
            && let Some(score) = self.0.get("score").and_then(Value::as_f64)
            && (score.is_nan() || score < options.min_score)
        {
            return Some("the score is too low");
        }
        if let (true, Some(expected)) = (has_action, &options.expected_action)
            && self.text("action") != Some(expected)
        {
            return Some("it was given for another action");
        }
        let hosts = &options.allowed_hostnames;
        let is_allowed =
            self.text("hostname").is_some_and(|hostname| hosts.iter().any(|host| host == hostname));
        if has_action && !hosts.is_empty() && !is_allowed {
            return Some("it was given on another host");
        }
        None
    }
}

//! Devices, one-time tokens, captchas and breached passwords, as a test asks for them: what JSON can say, in the reference's shape.

use std::sync::Arc;

use housekey_engine::http_client::HttpClient;
use housekey_engine::options::Shared;
use housekey_engine::plugins::captcha::CaptchaProvider;
use housekey_engine::plugins::one_time_token::StoredToken;
use housekey_engine::plugins::{
    BreachedPasswordsOptions, CaptchaOptions, DeviceAuthorizationOptions, OneTimeTokenOptions,
    breached_passwords, captcha, device_authorization, one_time_token,
};
use housekey_engine::{Callback, Plugin};
use serde::Deserialize;

use crate::rerouting::Rerouting;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct DeviceAuthorization {
    /// `30m`
    expires_in: Option<String>,
    /// `5s`
    interval: Option<String>,
    device_code_length: Option<usize>,
    user_code_length: Option<usize>,
    verification_uri: Option<String>,
    /// Ours: rows as the reference keeps them.
    reference_rows: bool,
}

impl DeviceAuthorization {
    /// With `validateClient` among the callbacks, everybody but the stranger is a client.
    pub(crate) fn plugin(self, callbacks: &[String]) -> Result<Plugin, String> {
        let usual = DeviceAuthorizationOptions::default();
        let mut options = DeviceAuthorizationOptions {
            expires_in: self.expires_in.map_or(Ok(usual.expires_in), |text| seconds(&text))?,
            interval: self.interval.map_or(Ok(usual.interval), |text| seconds(&text))?,
            device_code_length: self.device_code_length.unwrap_or(usual.device_code_length),
            user_code_length: self.user_code_length.unwrap_or(usual.user_code_length),
            verification_uri: self.verification_uri.unwrap_or(usual.verification_uri),
            reference_rows: self.reference_rows,
            ..DeviceAuthorizationOptions::default()
        };
        if callbacks.iter().any(|name| name == "validateClient") {
            options.validate_client =
                Callback::new(|id: String| async move { Ok::<_, std::io::Error>(id != "stranger") });
        }
        Ok(device_authorization(options))
    }
}

fn seconds(text: &str) -> Result<u32, String> {
    let factor = match text.chars().last() {
        Some('s') => 1,
        Some('m') => 60,
        _ => return Err(format!("`{text}` is no number of seconds or minutes")),
    };
    let number = text.get(..text.len() - 1).and_then(|number| number.parse::<u32>().ok());
    number.map(|number| number * factor).ok_or_else(|| format!("`{text}` has no number"))
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct OneTimeToken {
    expires_in: Option<u32>,
    disable_client_request: bool,
    disable_set_session_cookie: bool,
    set_ott_header_on_new_session: bool,
    /// `hashed` or `plain`
    store_token: Option<String>,
}

impl OneTimeToken {
    pub(crate) fn plugin(self) -> Plugin {
        let usual = OneTimeTokenOptions::default();
        one_time_token(OneTimeTokenOptions {
            expires_in: self.expires_in.unwrap_or(usual.expires_in),
            disable_client_request: self.disable_client_request,
            disable_set_session_cookie: self.disable_set_session_cookie,
            set_header_on_new_session: self.set_ott_header_on_new_session,
            store_token: match self.store_token.as_deref() {
                Some("plain") => StoredToken::Plain,
                _ => StoredToken::Hashed,
            },
        })
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Captcha {
    provider: String,
    secret_key: String,
    #[serde(default)]
    endpoints: Vec<String>,
    site_key: Option<String>,
    min_score: Option<f64>,
    expected_action: Option<String>,
    #[serde(default)]
    allowed_hostnames: Vec<String>,
}

impl Captcha {
    pub(crate) fn plugin(self, entrance: Option<&String>) -> Result<Plugin, String> {
        let known = [
            CaptchaProvider::CloudflareTurnstile,
            CaptchaProvider::GoogleRecaptcha,
            CaptchaProvider::HCaptcha,
        ];
        let provider = known.into_iter().find(|provider| provider.name() == self.provider);
        let usual = CaptchaOptions::default();
        Ok(captcha(CaptchaOptions {
            provider: provider.ok_or_else(|| format!("there is no captcha `{}`", self.provider))?,
            secret_key: self.secret_key.into(),
            endpoints: self.endpoints,
            site_key: self.site_key,
            min_score: self.min_score.unwrap_or(usual.min_score),
            expected_action: self.expected_action,
            allowed_hostnames: self.allowed_hostnames,
            http_client: client(entrance),
            ..CaptchaOptions::default()
        }))
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct HaveIBeenPwned {
    custom_password_compromised_message: Option<String>,
}

impl HaveIBeenPwned {
    pub(crate) fn plugin(self, entrance: Option<&String>) -> Plugin {
        breached_passwords(BreachedPasswordsOptions {
            message: self.custom_password_compromised_message,
            http_client: client(entrance),
            ..BreachedPasswordsOptions::default()
        })
    }
}

/// A client that is led to the imitation of the services, where there is one.
fn client(entrance: Option<&String>) -> Shared<dyn HttpClient> {
    match entrance {
        Some(entrance) => Shared::new(Arc::new(Rerouting::new(entrance.clone()))),
        None => Shared::unset(),
    }
}

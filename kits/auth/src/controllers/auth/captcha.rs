use housekey::auth::Auth;
use housekey::auth::config::{CaptchaOptions, CaptchaProvider};
use housekey::prelude::*;
use housekey::security::{CspSources, allow_sources};
use serde::Serialize;

/// The endpoints of the engine that do what our forms do. Where the captcha stands before one of them, it stands before the form.
pub const SIGN_IN: &[&str] =
    &["/sign-in/email", "/sign-in/username", "/sign-in/magic-link", "/email-otp/send-verification-otp"];
pub const EMAIL_CODE: &[&str] = &["/email-otp/send-verification-otp"];
pub const SIGN_UP: &[&str] = &["/sign-up/email"];
pub const FORGOT_PASSWORD: &[&str] = &["/request-password-reset"];
pub const CHECK_MAIL: &[&str] = &["/send-verification-email"];

/// The widget of a captcha, as the plugin `captcha` in `config/auth.rs` turns it on.
#[typescript]
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Captcha {
    /// Where its script is.
    pub script: &'static str,
    /// The class of the element that it fills, where the page does not call it itself.
    pub class: &'static str,
    /// What its script calls itself in a page.
    pub global: &'static str,
    /// The field in which it leaves its answer.
    pub field: &'static str,
    /// What its provider gave for the page.
    pub site_key: String,
}

/// The widget for a form, if the captcha stands before one of these endpoints. The policy of this answer lets it load.
pub fn captcha_before(endpoints: &[&str]) -> Result<Option<Captcha>> {
    let options = Auth::current()?.engine().plugins().state::<CaptchaOptions>("captcha");
    let asks = |options: &CaptchaOptions| endpoints.iter().any(|endpoint| options.protects(endpoint));
    let Some(options) = options.filter(|options| asks(options)) else { return Ok(None) };
    let Some(site_key) = options.site_key.clone() else {
        return Err(Error::internal(
            "the captcha in config/auth.rs has no `site_key`: pages need it to show the widget",
        ));
    };
    allow_sources(sources(options.provider));
    let (script, class, global) = match options.provider {
        CaptchaProvider::CloudflareTurnstile => {
            ("https://challenges.cloudflare.com/turnstile/v0/api.js", "cf-turnstile", "turnstile")
        }
        CaptchaProvider::HCaptcha => ("https://js.hcaptcha.com/1/api.js", "h-captcha", "hcaptcha"),
        CaptchaProvider::GoogleRecaptcha => {
            ("https://www.google.com/recaptcha/api.js", "g-recaptcha", "grecaptcha")
        }
    };
    Ok(Some(Captcha { script, class, global, field: options.provider.form_field(), site_key }))
}

/// What the pages with the widget load beyond their own, as the providers' manuals name it.
fn sources(provider: CaptchaProvider) -> CspSources {
    let list = |sources: &[&str]| sources.iter().map(|source| (*source).to_owned()).collect::<Vec<_>>();
    match provider {
        CaptchaProvider::CloudflareTurnstile => {
            let own = list(&["https://challenges.cloudflare.com"]);
            CspSources { script: own.clone(), frame: own, ..default() }
        }
        CaptchaProvider::HCaptcha => {
            let own = list(&["https://hcaptcha.com", "https://*.hcaptcha.com"]);
            CspSources {
                script: own.clone(),
                style: own.clone(),
                connect: own.clone(),
                frame: own,
                ..default()
            }
        }
        CaptchaProvider::GoogleRecaptcha => CspSources {
            script: list(&["https://www.google.com/recaptcha/", "https://www.gstatic.com/recaptcha/"]),
            frame: list(&["https://www.google.com/recaptcha/", "https://recaptcha.google.com/recaptcha/"]),
            connect: list(&["https://www.google.com/recaptcha/"]),
            ..default()
        },
    }
}

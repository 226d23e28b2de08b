/// Who tells people from programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CaptchaProvider {
    CloudflareTurnstile,
    /// Google reCAPTCHA, v2 and v3.
    GoogleRecaptcha,
    HCaptcha,
}

impl CaptchaProvider {
    /// The name that the provider's widget gives the response in a form.
    pub const fn form_field(self) -> &'static str {
        match self {
            Self::CloudflareTurnstile => "cf-turnstile-response",
            Self::GoogleRecaptcha => "g-recaptcha-response",
            Self::HCaptcha => "h-captcha-response",
        }
    }

    /// Its name in the reference's options, and in the log.
    pub const fn name(self) -> &'static str {
        match self {
            Self::CloudflareTurnstile => "cloudflare-turnstile",
            Self::GoogleRecaptcha => "google-recaptcha",
            Self::HCaptcha => "hcaptcha",
        }
    }

    pub(super) const fn site_verify_url(self) -> &'static str {
        match self {
            Self::CloudflareTurnstile => "https://challenges.cloudflare.com/turnstile/v0/siteverify",
            Self::GoogleRecaptcha => "https://www.google.com/recaptcha/api/siteverify",
            Self::HCaptcha => "https://api.hcaptcha.com/siteverify",
        }
    }
}

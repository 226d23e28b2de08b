use housekey::prelude::*;
use serde::Deserialize;

/// The sign-in form.
#[typescript]
#[derive(Deserialize)]
pub struct SignInRequest {
    pub email: String,
    pub password: Secret,
    #[serde(default)]
    pub remember: bool,
}

impl Validated for SignInRequest {
    fn rules(rules: &mut Rules) {
        rules.field("email").required().max(254);
        rules.field("password").required().max(128);
    }
}

/// The sign-up form.
#[typescript]
#[derive(Deserialize)]
pub struct SignUpRequest {
    pub name: String,
    pub email: String,
    pub password: Secret,
}

impl Validated for SignUpRequest {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(120);
        rules.field("email").required().email().max(254);
        rules.field("password").required().min(8).max(128);
    }
}

/// Somebody who forgot their password.
#[typescript]
#[derive(Deserialize)]
pub struct ForgotPasswordRequest {
    pub email: String,
}

impl Validated for ForgotPasswordRequest {
    fn rules(rules: &mut Rules) {
        rules.field("email").required().email().max(254);
    }
}

/// The new password, with the token of the mail.
#[typescript]
#[derive(Deserialize)]
pub struct ResetPasswordRequest {
    pub token: Secret,
    pub password: Secret,
}

impl Validated for ResetPasswordRequest {
    fn rules(rules: &mut Rules) {
        rules.field("token").required().max(512);
        rules.field("password").required().min(8).max(128).confirmed();
    }
}

/// Somebody who waits for the link that proves their address.
#[typescript]
#[derive(Deserialize)]
pub struct VerificationLinkRequest {
    pub email: String,
}

impl Validated for VerificationLinkRequest {
    fn rules(rules: &mut Rules) {
        rules.field("email").required().email().max(254);
    }
}

/// The token of a mail about an address.
#[typescript]
#[derive(Deserialize)]
pub struct TokenRequest {
    pub token: Secret,
}

impl Validated for TokenRequest {
    fn rules(rules: &mut Rules) {
        rules.field("token").required().max(4096);
    }
}

/// A code of the second factor, or a recovery code.
#[typescript]
#[derive(Deserialize)]
pub struct CodeRequest {
    pub code: String,
    #[serde(default)]
    pub trust_device: bool,
}

impl Validated for CodeRequest {
    fn rules(rules: &mut Rules) {
        rules.field("code").required().max(64);
    }
}

/// What a passkey answered, as the browser wrote it down.
#[typescript]
#[derive(Deserialize)]
pub struct PasskeyRequest {
    pub response: String,
    pub replay: Option<String>,
}

impl Validated for PasskeyRequest {
    fn rules(rules: &mut Rules) {
        rules.field("response").required().max(16_384);
    }
}

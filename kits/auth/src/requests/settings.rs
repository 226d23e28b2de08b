use housekey::prelude::*;
use serde::Deserialize;

/// The profile form.
#[typescript]
#[derive(Deserialize)]
pub struct ProfileRequest {
    pub name: String,
}

impl Validated for ProfileRequest {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(120);
    }
}

/// Another address for the account.
#[typescript]
#[derive(Deserialize)]
pub struct EmailRequest {
    pub email: String,
}

impl Validated for EmailRequest {
    fn rules(rules: &mut Rules) {
        rules.field("email").required().email().max(254);
    }
}

/// Another password for the account.
#[typescript]
#[derive(Deserialize)]
pub struct PasswordRequest {
    pub current_password: Secret,
    pub password: Secret,
    #[serde(default)]
    pub sign_out_others: bool,
}

impl Validated for PasswordRequest {
    fn rules(rules: &mut Rules) {
        rules.field("current_password").required().max(128);
        rules.field("password").required().min(8).max(128).confirmed();
    }
}

/// Another name for a passkey.
#[typescript]
#[derive(Deserialize)]
pub struct PasskeyNameRequest {
    pub name: String,
}

impl Validated for PasskeyNameRequest {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(64);
    }
}

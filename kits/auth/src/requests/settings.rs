use housekey::prelude::*;
use serde::Deserialize;

/// The profile form.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ProfileRequest {
    #[validate(required, max(120))]
    pub name: String,
}

/// Another name to sign in with.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct UsernameRequest {
    #[validate(required, max(64))]
    pub username: String,
}

/// Another address for the account.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct EmailRequest {
    #[validate(required, email, max(254))]
    pub email: String,
}

/// Another password for the account.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct PasswordRequest {
    #[validate(required, max(128))]
    pub current_password: Secret,
    #[validate(required, min(8), max(128), confirmed)]
    pub password: Secret,
    #[serde(default)]
    pub sign_out_others: bool,
}

/// A password for an account that has none.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct NewPasswordRequest {
    #[validate(required, min(8), max(128), confirmed)]
    pub password: Secret,
}

/// Another name for a passkey.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct PasskeyNameRequest {
    #[validate(required, max(64))]
    pub name: String,
}

use housekey::prelude::*;
use serde::Deserialize;

/// Somebody who wants an account.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct RegisterRequest {
    /// What to call the person.
    #[validate(required, max(120))]
    pub name: String,
    #[validate(required, email, max(254))]
    pub email: String,
    /// Well-known passwords, and little more than a name or an address, are refused.
    #[validate(required, min(8), max(128))]
    pub password: Secret,
}

/// Somebody who has one.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct LoginRequest {
    #[validate(required, max(254))]
    pub email: String,
    #[validate(required, max(128))]
    pub password: Secret,
}

/// Somebody who forgot their password.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ForgotPasswordRequest {
    #[validate(required, email, max(254))]
    pub email: String,
}

/// The new password, with the token of the mail.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ResetPasswordRequest {
    /// The token from the mail.
    #[validate(required, max(512))]
    pub token: Secret,
    #[validate(required, min(8), max(128))]
    pub password: Secret,
}

/// The password once more.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ConfirmPasswordRequest {
    #[validate(required, max(128))]
    pub password: Secret,
}

/// The token of the mail that proves an address.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct VerifyEmailRequest {
    /// The token from the mail.
    #[validate(required, max(4096))]
    pub token: Secret,
}

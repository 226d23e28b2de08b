use housekey::prelude::*;
use serde::Deserialize;

/// Somebody who wants an account.
#[derive(Deserialize, Validated)]
pub struct RegisterRequest {
    #[validate(required, max(120))]
    pub name: String,
    #[validate(required, email, max(254))]
    pub email: String,
    #[validate(required, min(8), max(128))]
    pub password: Secret,
}

/// Somebody who has one.
#[derive(Deserialize, Validated)]
pub struct LoginRequest {
    #[validate(required, max(254))]
    pub email: String,
    #[validate(required, max(128))]
    pub password: Secret,
}

/// Somebody who forgot their password.
#[derive(Deserialize, Validated)]
pub struct ForgotPasswordRequest {
    #[validate(required, email, max(254))]
    pub email: String,
}

/// The new password, with the token of the mail.
#[derive(Deserialize, Validated)]
pub struct ResetPasswordRequest {
    #[validate(required, max(512))]
    pub token: Secret,
    #[validate(required, min(8), max(128))]
    pub password: Secret,
}

/// The password once more.
#[derive(Deserialize, Validated)]
pub struct ConfirmPasswordRequest {
    #[validate(required, max(128))]
    pub password: Secret,
}

/// The token of the mail that proves an address.
#[derive(Deserialize, Validated)]
pub struct VerifyEmailRequest {
    #[validate(required, max(4096))]
    pub token: Secret,
}

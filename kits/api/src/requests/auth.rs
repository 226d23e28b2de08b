use housekey::prelude::*;
use serde::Deserialize;

/// Somebody who wants an account.
#[derive(Deserialize)]
pub struct RegisterRequest {
    pub name: String,
    pub email: String,
    pub password: Secret,
}

impl Validated for RegisterRequest {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(120);
        rules.field("email").required().email().max(254);
        rules.field("password").required().min(8).max(128);
    }
}

/// Somebody who has one.
#[derive(Deserialize)]
pub struct LoginRequest {
    pub email: String,
    pub password: Secret,
}

impl Validated for LoginRequest {
    fn rules(rules: &mut Rules) {
        rules.field("email").required().max(254);
        rules.field("password").required().max(128);
    }
}

/// Somebody who forgot their password.
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
#[derive(Deserialize)]
pub struct ResetPasswordRequest {
    pub token: Secret,
    pub password: Secret,
}

impl Validated for ResetPasswordRequest {
    fn rules(rules: &mut Rules) {
        rules.field("token").required().max(512);
        rules.field("password").required().min(8).max(128);
    }
}

/// The password once more.
#[derive(Deserialize)]
pub struct ConfirmPasswordRequest {
    pub password: Secret,
}

impl Validated for ConfirmPasswordRequest {
    fn rules(rules: &mut Rules) {
        rules.field("password").required().max(128);
    }
}

/// The token of the mail that proves an address.
#[derive(Deserialize)]
pub struct VerifyEmailRequest {
    pub token: Secret,
}

impl Validated for VerifyEmailRequest {
    fn rules(rules: &mut Rules) {
        rules.field("token").required().max(4096);
    }
}

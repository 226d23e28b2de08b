use housekey::prelude::*;
use serde::Deserialize;

/// The sign-in form.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct SignInRequest {
    #[validate(required, max(254))]
    pub email: String,
    #[validate(required, max(128))]
    pub password: Secret,
    #[serde(default)]
    pub remember: bool,
}

/// Somebody who wants a link or a code to sign in with.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct SignInMailRequest {
    #[validate(required, email, max(254))]
    pub email: String,
}

/// Somebody who has no password and shows by a link or a code that it is them.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ConfirmByMailRequest {
    /// The page to go on with.
    #[validate(max(2048))]
    pub return_to: Option<String>,
}

/// The code that they found in their mail.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct EmailCodeRequest {
    #[validate(required, max(64))]
    pub code: String,
}

/// The sign-up form.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct SignUpRequest {
    #[validate(required, max(120))]
    pub name: String,
    #[validate(required, email, max(254))]
    pub email: String,
    #[validate(required, min(8), max(128))]
    pub password: Secret,
    /// The name to sign in with, where people have one.
    #[validate(max(64))]
    pub username: Option<String>,
}

/// A button to sign in with somebody else's help.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct SocialRequest {
    /// Whether it stood on the page to sign up: some providers make no account unless that was asked for.
    #[serde(default)]
    pub sign_up: bool,
    /// The page to go on with, for who is signed in and shows once more that it is them.
    #[validate(max(2048))]
    pub return_to: Option<String>,
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
    #[validate(required, max(512))]
    pub token: Secret,
    #[validate(required, min(8), max(128), confirmed)]
    pub password: Secret,
}

/// Somebody who waits for the link that proves their address.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct VerificationLinkRequest {
    #[validate(required, email, max(254))]
    pub email: String,
}

/// The token of a mail about an address.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct TokenRequest {
    #[validate(required, max(4096))]
    pub token: Secret,
}

/// A code of the second factor, or a recovery code.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct CodeRequest {
    #[validate(required, max(64))]
    pub code: String,
    #[serde(default)]
    pub trust_device: bool,
}

/// What a passkey answered, as the browser wrote it down.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct PasskeyRequest {
    #[validate(required, max(16_384))]
    pub response: String,
    pub replay: Option<String>,
}

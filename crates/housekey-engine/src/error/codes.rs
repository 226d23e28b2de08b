//! The catalogue of codes and their messages, word for word those of the reference: clients compare them.
//! What only options of ours can say (`PASSWORD_TOO_COMMON`, `PASSWORD_TOO_PERSONAL`) is put the same way.
//! Where a sentence helps whoever reads it, it follows behind these words ([`saying`](ErrorCode::saying)).

use std::borrow::Cow;

use http::StatusCode;

use super::ApiError;

/// A code and the message that goes with it. The status depends on where it happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ErrorCode {
    /// What programs read.
    pub code: &'static str,
    /// What people read.
    pub message: &'static str,
}

impl ErrorCode {
    /// A code of one's own; plugins use this.
    pub const fn new(code: &'static str, message: &'static str) -> Self {
        Self { code, message }
    }

    /// This refusal with a status.
    pub fn with(self, status: StatusCode) -> ApiError {
        ApiError::new(status, self.code, self.message)
    }

    /// This refusal with a status and another message.
    pub fn saying(self, status: StatusCode, message: impl Into<Cow<'static, str>>) -> ApiError {
        ApiError::new(status, self.code, message)
    }

    /// 400.
    pub fn bad_request(self) -> ApiError {
        self.with(StatusCode::BAD_REQUEST)
    }

    /// 401.
    pub fn unauthorized(self) -> ApiError {
        self.with(StatusCode::UNAUTHORIZED)
    }

    /// 403.
    pub fn forbidden(self) -> ApiError {
        self.with(StatusCode::FORBIDDEN)
    }

    /// 404.
    pub fn not_found(self) -> ApiError {
        self.with(StatusCode::NOT_FOUND)
    }

    /// 422.
    pub fn unprocessable(self) -> ApiError {
        self.with(StatusCode::UNPROCESSABLE_ENTITY)
    }
}

/// What refuses a new password for what it is, and not for whoever sets it.
pub(super) const ABOUT_NEW_PASSWORD: [ErrorCode; 5] =
    [PASSWORD_TOO_SHORT, PASSWORD_TOO_LONG, PASSWORD_TOO_COMMON, PASSWORD_TOO_PERSONAL, PASSWORD_COMPROMISED];

macro_rules! catalogue {
    ($($name:ident $message:literal)*) => {$(
        #[doc = concat!("“", $message, "”")]
        pub const $name: ErrorCode = ErrorCode::new(stringify!($name), $message);
    )*};
}

catalogue! {
    ACCESS_TOKEN_NOT_FOUND "Access token not found"
    ACCOUNT_NOT_FOUND "Account not found"
    ACCOUNT_TEMPORARILY_LOCKED "Too many failed verification attempts. Your account is temporarily locked. Please try again later."
    BACKUP_CODES_ARE_HASHED "Backup codes are stored as hashes and can't be shown. Generate new ones."
    BACKUP_CODES_NOT_ENABLED "Backup codes aren't enabled"
    BAD_REQUEST "Invalid JSON in request body"
    BODY_MUST_BE_AN_OBJECT "Body must be an object"
    CHANGE_EMAIL_DISABLED "Change email is disabled"
    CREDENTIAL_ACCOUNT_NOT_FOUND "Credential account not found"
    CROSS_SITE_NAVIGATION_LOGIN_BLOCKED "Cross-site navigation login blocked. This request appears to be a CSRF attack."
    EMAIL_ALREADY_VERIFIED "Email is already verified"
    EMAIL_CAN_NOT_BE_UPDATED "Email can not be updated"
    EMAIL_MISMATCH "Email mismatch"
    EMAIL_NOT_VERIFIED "Email not verified"
    FAILED_TO_CREATE_SESSION "Failed to create session"
    FAILED_TO_CREATE_USER "Failed to create user"
    FAILED_TO_GET_ACCESS_TOKEN "Failed to get a valid access token"
    FAILED_TO_GET_SESSION "Failed to get session"
    FAILED_TO_GET_USER_INFO "Failed to get user info"
    FAILED_TO_REFRESH_ACCESS_TOKEN "Failed to refresh access token"
    FAILED_TO_UNLINK_LAST_ACCOUNT "You can't unlink your last account"
    FAILED_TO_UPDATE_USER "Failed to update user"
    FIELD_NOT_ALLOWED "Field not allowed to be set"
    ID_TOKEN_NOT_SUPPORTED "id_token not supported"
    INVALID_BACKUP_CODE "Invalid backup code"
    INVALID_CALLBACK_URL "Invalid callbackURL"
    INVALID_CODE "Invalid code"
    INVALID_EMAIL "Invalid email"
    INVALID_EMAIL_OR_PASSWORD "Invalid email or password"
    INVALID_ERROR_CALLBACK_URL "Invalid errorCallbackURL"
    INVALID_NEW_USER_CALLBACK_URL "Invalid newUserCallbackURL"
    INVALID_ORIGIN "Invalid origin"
    INVALID_PASSWORD "Invalid password"
    INVALID_REDIRECT_URL "Invalid redirectURL"
    INVALID_TOKEN "Invalid token"
    INVALID_TWO_FACTOR_COOKIE "Invalid two factor cookie"
    INVALID_USER "Invalid user"
    LINKING_DIFFERENT_EMAILS_NOT_ALLOWED "Account not linked - different emails not allowed"
    LINKING_FAILED "Account not linked - unable to create account"
    LINKING_NOT_ALLOWED "Account not linked - linking not allowed"
    METHOD_NOT_ALLOWED_DEFER_SESSION_REQUIRED "POST method requires deferSessionRefresh to be enabled in session config"
    MISSING_FIELD "Field is required"
    MISSING_OR_NULL_ORIGIN "Missing or null Origin"
    NOT_FOUND "Not Found"
    OAUTH_LINK_ERROR "account not linked"
    OTP_HAS_EXPIRED "OTP has expired"
    OTP_NOT_CONFIGURED "OTP is not available"
    OTP_NOT_ENABLED "OTP not enabled"
    PASSWORD_ALREADY_SET "User already has a password set"
    PASSWORD_COMPROMISED "The password you entered has been compromised. Please choose a different password."
    PASSWORD_TOO_COMMON "Password too common"
    PASSWORD_TOO_LONG "Password too long"
    PASSWORD_TOO_PERSONAL "Password too personal"
    PASSWORD_TOO_SHORT "Password too short"
    PROVIDER_NOT_CONFIGURED "Account is not associated with a configured social provider."
    PROVIDER_NOT_FOUND "Provider not found"
    PROVIDER_NOT_SUPPORTED "Provider is not supported"
    REFRESH_TOKEN_NOT_FOUND "Refresh token not found"
    SESSION_EXPIRED "Session expired. Re-authenticate to perform this action."
    SESSION_NOT_FRESH "Session is not fresh"
    SOCIAL_ACCOUNT_ALREADY_LINKED "Social account already linked"
    TOKEN_EXPIRED "Token expired"
    TOKEN_REFRESH_NOT_SUPPORTED "Provider does not support token refreshing"
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE "Too many attempts. Please request a new code."
    TOTP_ALREADY_ENABLED "TOTP is already enabled"
    TOTP_NOT_ENABLED "TOTP not enabled"
    TWO_FACTOR_NOT_ENABLED "Two factor isn't enabled"
    UNAUTHORIZED "Unauthorized"
    UNSUPPORTED_MEDIA_TYPE "Unsupported media type"
    USER_ALREADY_EXISTS "User already exists."
    USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL "User already exists. Use another email."
    USER_EMAIL_NOT_FOUND "User email not found"
    USER_NOT_FOUND "User not found"
    VALIDATION_ERROR "Validation Error"
    VERIFICATION_EMAIL_NOT_ENABLED "Verification email isn't enabled"
}

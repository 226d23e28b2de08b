use crate::ErrorCode;

/// The page sent nothing.
pub const MISSING_RESPONSE: ErrorCode = ErrorCode::new("MISSING_RESPONSE", "Missing CAPTCHA response");
/// The provider could not be asked.
pub const UNKNOWN_ERROR: ErrorCode = ErrorCode::new("UNKNOWN_ERROR", "Something went wrong");
/// The provider does not believe it.
pub const VERIFICATION_FAILED: ErrorCode =
    ErrorCode::new("VERIFICATION_FAILED", "Captcha verification failed");

//! The refusals of this plugin, word for word those of the reference: clients compare them.

use crate::ErrorCode;

/// The answer does not prove that the person has the key.
pub const AUTHENTICATION_FAILED: ErrorCode = ErrorCode::new("AUTHENTICATION_FAILED", "Authentication failed");
/// No ceremony was begun, or it took too long, or its answer came already.
pub const CHALLENGE_NOT_FOUND: ErrorCode = ErrorCode::new("CHALLENGE_NOT_FOUND", "Challenge not found");
/// The passkey was removed while it was being renamed.
pub const FAILED_TO_UPDATE_PASSKEY: ErrorCode =
    ErrorCode::new("FAILED_TO_UPDATE_PASSKEY", "Failed to update passkey");
/// The answer is not one to the challenge, from this site, with a key of a kind that was asked for.
pub const FAILED_TO_VERIFY_REGISTRATION: ErrorCode =
    ErrorCode::new("FAILED_TO_VERIFY_REGISTRATION", "Failed to verify registration");
/// There is no such passkey.
pub const PASSKEY_NOT_FOUND: ErrorCode = ErrorCode::new("PASSKEY_NOT_FOUND", "Passkey not found");
/// The credential is registered already.
pub const PREVIOUSLY_REGISTERED: ErrorCode = ErrorCode::new("PREVIOUSLY_REGISTERED", "Previously registered");
/// Whom the app named for a registration without a session does not exist.
pub const RESOLVED_USER_INVALID: ErrorCode =
    ErrorCode::new("RESOLVED_USER_INVALID", "Resolved user is invalid");
/// Registration without a session is allowed, but the app does not say for whom.
pub const RESOLVE_USER_REQUIRED: ErrorCode = ErrorCode::new(
    "RESOLVE_USER_REQUIRED",
    "Passkey registration requires either an authenticated session or a resolveUser callback when requireSession is false",
);
/// The challenge, or the passkey, is someone else's.
pub const YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY: ErrorCode = ErrorCode::new(
    "YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY",
    "You are not allowed to register this passkey",
);

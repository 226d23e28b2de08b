//! What the plugin refuses with: the reference's code and words.

use crate::ErrorCode;

pub const INVALID_SESSION_TOKEN: ErrorCode = ErrorCode::new("INVALID_SESSION_TOKEN", "Invalid session token");

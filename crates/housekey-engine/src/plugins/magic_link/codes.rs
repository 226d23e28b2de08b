use crate::ErrorCode;

/// A link that only works in the browser that asked for it was opened in another one. It was not spent.
pub const LINK_OPENED_ELSEWHERE: ErrorCode =
    ErrorCode::new("LINK_OPENED_ELSEWHERE", "This link only works in the browser in which it was asked for");

/// The address is nobody's, and nobody may sign up this way.
pub const SIGN_UP_DISABLED: ErrorCode = ErrorCode::new("new_user_signup_disabled", "Sign up is disabled");

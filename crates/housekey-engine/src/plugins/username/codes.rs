//! What the plugin refuses with: the reference's codes and words.

use crate::ErrorCode;

macro_rules! catalogue {
    ($($name:ident $message:literal)*) => {$(
        #[doc = concat!("“", $message, "”")]
        pub const $name: ErrorCode = ErrorCode::new(stringify!($name), $message);
    )*};
}

catalogue! {
    INVALID_DISPLAY_USERNAME "Display username is invalid"
    INVALID_USERNAME "Username is invalid"
    INVALID_USERNAME_OR_PASSWORD "Invalid username or password"
    USERNAME_IS_ALREADY_TAKEN "Username is already taken. Please try another."
    USERNAME_IS_IMMUTABLE "Username cannot be updated"
    USERNAME_TOO_LONG "Username is too long"
    USERNAME_TOO_SHORT "Username is too short"
}

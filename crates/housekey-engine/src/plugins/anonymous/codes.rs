//! What the plugin refuses with: the reference's codes and words.

use crate::ErrorCode;

macro_rules! catalogue {
    ($($name:ident $message:literal)*) => {$(
        #[doc = concat!("“", $message, "”")]
        pub const $name: ErrorCode = ErrorCode::new(stringify!($name), $message);
    )*};
}

catalogue! {
    ANONYMOUS_USERS_CANNOT_SIGN_IN_AGAIN_ANONYMOUSLY "Anonymous users cannot sign in again anonymously"
    DELETE_ANONYMOUS_USER_DISABLED "Deleting anonymous users is disabled"
    FAILED_TO_CREATE_USER "Failed to create user"
    FAILED_TO_DELETE_ANONYMOUS_USER "Failed to delete anonymous user"
    INVALID_EMAIL_FORMAT "Email was not generated in a valid format"
    USER_IS_NOT_ANONYMOUS "User is not anonymous"
}

//! What the plugin refuses with: the reference's codes and words, and the last four of our own.

use crate::ErrorCode;

macro_rules! catalogue {
    ($($name:ident $message:literal)*) => {$(
        #[doc = concat!("“", $message, "”")]
        pub const $name: ErrorCode = ErrorCode::new(stringify!($name), $message);
    )*};
}

catalogue! {
    BANNED_USER "You have been banned from this application"
    INVALID_ROLE_TYPE "Invalid role type"
    NO_DATA_TO_UPDATE "No data to update"
    PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER "Password cannot be updated through update-user. Use the set-user-password endpoint instead"
    USER_ID_CANNOT_BE_UPDATED "User id cannot be updated"
    YOU_ARE_NOT_ALLOWED_TO_BAN_USERS "You are not allowed to ban users"
    YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE "You are not allowed to change users role"
    YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS "You are not allowed to create users"
    YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS "You are not allowed to delete users"
    YOU_ARE_NOT_ALLOWED_TO_GET_USER "You are not allowed to get user"
    YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS "You are not allowed to impersonate users"
    YOU_ARE_NOT_ALLOWED_TO_LIST_USERS "You are not allowed to list users"
    YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS "You are not allowed to list users sessions"
    YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS "You are not allowed to revoke users sessions"
    YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE "You are not allowed to set a non-existent role value"
    YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL "You are not allowed to update users email"
    YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD "You are not allowed to set users password"
    YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PHONE_NUMBER "You are not allowed to update users phone number"
    YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS "You are not allowed to update users"
    YOU_CANNOT_BAN_YOURSELF "You cannot ban yourself"
    YOU_CANNOT_IMPERSONATE_ADMINS "You cannot impersonate admins"
    YOU_CANNOT_REMOVE_YOURSELF "You cannot remove yourself"
    LAST_ADMIN "This is the last admin. Make somebody else an admin first."
    ONLY_ADMINS_CHANGE_ADMINS "Only an admin may do this to an admin"
    YOU_ARE_NOT_ALLOWED_TO_RESET_TWO_FACTOR "You are not allowed to reset users second factor"
    YOU_ARE_IMPERSONATING_ALREADY "You are impersonating someone already. Stop that first."
}

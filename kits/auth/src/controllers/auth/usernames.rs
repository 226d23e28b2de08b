use housekey::auth::engine::plugins::username::codes::{
    INVALID_DISPLAY_USERNAME, INVALID_USERNAME, USERNAME_IS_ALREADY_TAKEN, USERNAME_IS_IMMUTABLE,
    USERNAME_TOO_LONG, USERNAME_TOO_SHORT,
};
use housekey::auth::engine::{ApiError, User};

/// The name that somebody signs in with beside the address, as they typed it.
pub fn username_of(user: &User) -> Option<&str> {
    let shown = user.fields.text("displayUsername").filter(|name| !name.is_empty());
    shown.or_else(|| user.fields.text("username")).filter(|name| !name.is_empty())
}

/// Whether it is the name that was refused: the form says so there.
pub fn is_about_username(error: &ApiError) -> bool {
    let refusals = [
        INVALID_DISPLAY_USERNAME,
        INVALID_USERNAME,
        USERNAME_IS_ALREADY_TAKEN,
        USERNAME_IS_IMMUTABLE,
        USERNAME_TOO_LONG,
        USERNAME_TOO_SHORT,
    ];
    refusals.into_iter().any(|refusal| error.is(refusal))
}

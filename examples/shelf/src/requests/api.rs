use housekey::prelude::*;
use serde::Deserialize;

/// Who wants a token.
#[typescript]
#[derive(Debug, Deserialize, Validated)]
pub struct NewTokenRequest {
    #[validate(required, email)]
    pub email: String,
    #[validate(required)]
    pub password: Secret,
}

/// Which books a program wants.
#[typescript]
#[derive(Debug, Deserialize, Validated)]
pub struct ApiBookList {
    /// Words in the title or the author's name, or how the ISBN begins.
    #[validate(max(100))]
    pub search: Option<String>,
    /// The `next` of the page before.
    #[validate(max(2000))]
    pub after: Option<String>,
}

use housekey::prelude::*;
use serde::Deserialize;

/// What the book form sends.
#[derive(Debug, Deserialize, Validated)]
pub struct BookRequest {
    #[validate(required, max(120))]
    pub name: String,
}

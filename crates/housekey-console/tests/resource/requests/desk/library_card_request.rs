use housekey::prelude::*;
use serde::Deserialize;

/// What the library card form sends.
#[derive(Debug, Deserialize, Validated)]
pub struct LibraryCardRequest {
    #[validate(required, max(120))]
    pub name: String,
}

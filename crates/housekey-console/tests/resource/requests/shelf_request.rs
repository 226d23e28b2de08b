use housekey::prelude::*;
use serde::Deserialize;

/// What the shelf form sends.
#[derive(Debug, Deserialize, Validated)]
pub struct ShelfRequest {
    #[validate(required, max(120))]
    pub name: String,
}

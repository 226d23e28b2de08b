use housekey::prelude::*;
use serde::Deserialize;

/// What the store post form sends.
#[derive(Debug, Deserialize, Validated)]
pub struct StorePostRequest {
    #[validate(required, max(120))]
    pub name: String,
}

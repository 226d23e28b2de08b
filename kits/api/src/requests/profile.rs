use housekey::prelude::*;
use serde::Deserialize;

/// What people change about themselves.
#[derive(Deserialize, Validated)]
pub struct ProfileRequest {
    #[validate(required, max(120))]
    pub name: String,
}

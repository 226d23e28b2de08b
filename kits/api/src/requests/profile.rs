use housekey::prelude::*;
use serde::Deserialize;

/// What people change about themselves.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct ProfileRequest {
    /// What to call the person.
    #[validate(required, max(120))]
    pub name: String,
}

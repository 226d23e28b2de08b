use housekey::prelude::*;
use housekey::serde::Deserialize;

/// What people change about themselves.
#[derive(Deserialize)]
#[serde(crate = "housekey::serde")]
pub struct ProfileRequest {
    pub name: String,
}

impl Validated for ProfileRequest {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(120);
    }
}

use housekey::prelude::*;
use serde::Deserialize;

/// What people change about themselves.
#[derive(Deserialize)]
pub struct ProfileRequest {
    pub name: String,
}

impl Validated for ProfileRequest {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(120);
    }
}

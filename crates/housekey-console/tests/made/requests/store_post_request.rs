use housekey::prelude::*;
use serde::Deserialize;

/// What the store post form sends.
#[derive(Debug, Deserialize)]
pub struct StorePostRequest {
    pub name: String,
}

impl Validated for StorePostRequest {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(120);
    }
}

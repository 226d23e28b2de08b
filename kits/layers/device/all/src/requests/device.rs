use housekey::prelude::*;
use serde::Deserialize;

/// The code that a device shows, as somebody typed it: in any case, with blanks and dashes or without.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct DeviceCodeRequest {
    #[validate(required, max(64))]
    pub user_code: String,
}

use housekey::prelude::*;
use serde::{Deserialize, Serialize};

use crate::controllers::auth::social_errors::explain;

/// What the way back from a provider brought in the address of the page.
#[typescript]
#[derive(Deserialize, Validated)]
pub struct SocialRefusalRequest {
    /// The code of what went wrong.
    #[validate(required, max(100))]
    pub error: String,
    /// The id of the provider.
    #[validate(max(100))]
    pub provider: Option<String>,
}

/// Why a provider did not open the door.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SocialRefusal {
    /// What happened and what to do.
    pub sentence: String,
}

/// `POST /api/social-refusal`: the sentence for a code, ours for every one of them. Nothing of the address is repeated:
/// anybody can make a link to the page.
pub async fn show(Valid(form): Valid<SocialRefusalRequest>) -> Json<SocialRefusal> {
    Json(SocialRefusal { sentence: explain(&form.error, form.provider.as_deref()) })
}

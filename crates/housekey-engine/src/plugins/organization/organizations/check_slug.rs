use serde_json::json;

use super::super::{ORGANIZATION_SLUG_ALREADY_TAKEN, Organization, caller};
use crate::{Api, Endpoint, Reply, Result};

/// `POST /organization/check-slug`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/check-slug", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let slug = body.text("slug");
    body.finish()?;
    match slug_is_free(api, &slug).await? {
        true => Reply::json(&json!({ "status": true })),
        false => Err(ORGANIZATION_SLUG_ALREADY_TAKEN.bad_request()),
    }
}

/// Whether no organisation has this slug, for whoever is signed in. Somebody may take it before they do.
pub async fn slug_is_free(api: &mut Api, slug: &str) -> Result<bool> {
    caller::signed_in(api).await?;
    Ok(Organization::with_slug(api, slug).await?.is_none())
}

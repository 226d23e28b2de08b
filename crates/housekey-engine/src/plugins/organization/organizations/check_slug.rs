use http::StatusCode;
use serde_json::json;

use super::super::{ORGANIZATION_SLUG_ALREADY_TAKEN, Organization, caller};
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// `POST /organization/check-slug`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/check-slug", |api| Box::pin(answer(api)))
        .about("Tells whether no organisation has a slug yet. One that is taken is refused.")
        .takes([Field::text("slug").example("lovelace")])
        .answers(Shape::status())
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [ORGANIZATION_SLUG_ALREADY_TAKEN])
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

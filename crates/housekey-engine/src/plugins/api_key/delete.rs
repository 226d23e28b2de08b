use http::StatusCode;

use super::{KEY_NOT_FOUND, find, owner};
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape};

/// `POST /api-key/delete`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/api-key/delete", |api| Box::pin(answer(api)))
        .about("Ends an API key, at once and for good.")
        .takes([Field::text("keyId"), Field::text("configId").optional()])
        .answers(Shape::success())
        .needs_session()
        .refuses(StatusCode::NOT_FOUND, [KEY_NOT_FOUND])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (config_id, id) = (body.optional_text("configId"), body.text("keyId"));
    body.finish()?;
    delete(api, &id, config_id.as_deref()).await?;
    Reply::json(&Record::new().with("success", true))
}

/// Ends a key of whoever is signed in, or of an organisation of theirs whose keys they may end.
pub async fn delete(api: &mut Api, id: &str, config_id: Option<&str>) -> Result<()> {
    let signed_in = api.require_stored_session().await?;
    let options = super::options(api)?;
    let (key, config) = find::of_kind(api, &options, id, config_id).await?;
    owner::require(api, &signed_in.user.id, &key, config, "delete").await?;
    let mut changes = api.changes();
    changes.delete_expecting("apikey", key.filter()).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(KEY_NOT_FOUND.not_found());
    }
    let kind = SecurityEventKind::ApiKeyDeleted;
    api.emit(owner::event(api, kind, Some(&signed_in.user.id), &key, config)).await;
    Ok(())
}

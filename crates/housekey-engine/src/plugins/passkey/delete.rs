use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde_json::json;

use super::{Passkey, codes};
use crate::storage::Filter;
use crate::{Api, ApiError, Commit, Endpoint, Field, Reply, Result, SecurityEventKind, Shape};

/// `POST /passkey/delete-passkey`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/passkey/delete-passkey", |api| {
        Box::pin(async move {
            let mut body = api.request().read_body();
            let id = body.text("id");
            body.finish()?;
            delete_passkey(api, &id).await?;
            Reply::json(&json!({ "status": true }))
        })
    })
    .about("Removes a passkey of whoever is signed in.")
    .takes([Field::text("id")])
    .answers(Shape::status())
    .needs_session()
    .refuses(StatusCode::NOT_FOUND, [codes::PASSKEY_NOT_FOUND])
}

/// Removes a passkey of whoever is signed in.
pub async fn delete_passkey(api: &mut Api, id: &str) -> Result<()> {
    let signed_in = api.require_stored_session().await?;
    let found = Passkey::with_id(api, id).await?.ok_or_else(|| codes::PASSKEY_NOT_FOUND.not_found())?;
    if found.user_id != signed_in.user.id {
        // Empty and yet called JSON, as the reference answers.
        let json = HeaderValue::from_static("application/json");
        return Err(ApiError::empty(StatusCode::UNAUTHORIZED).with_header(CONTENT_TYPE, json));
    }
    let mut changes = api.changes();
    let mine = Filter::by("id", &found.id).and_by("userId", &signed_in.user.id);
    changes.delete_expecting("passkey", mine).await?;
    match changes.commit().await? {
        Commit::Done => {
            api.emit(api.event(SecurityEventKind::PasskeyRemoved, Some(&found.user_id))).await;
            Ok(())
        }
        Commit::Lost => Err(codes::PASSKEY_NOT_FOUND.not_found()),
    }
}

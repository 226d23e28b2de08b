use http::StatusCode;
use serde_json::json;

use super::{Passkey, codes};
use crate::storage::Filter;
use crate::{Api, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape};

/// `POST /passkey/update-passkey`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/passkey/update-passkey", |api| {
        Box::pin(async move {
            let mut body = api.request().read_body();
            let (id, name) = (body.text("id"), body.some_text("name"));
            body.finish()?;
            let passkey = rename_passkey(api, &id, &name).await?;
            Reply::json(&json!({ "passkey": passkey }))
        })
    })
    .about("Calls a passkey of whoever is signed in something else.")
    .takes([Field::text("id"), Field::text("name").example("My phone")])
    .answers(Shape::object([Field::new("passkey", Passkey::shape())]))
    .needs_session()
    .refuses(StatusCode::NOT_FOUND, [codes::PASSKEY_NOT_FOUND])
}

/// Calls a passkey of whoever is signed in something else.
pub async fn rename_passkey(api: &mut Api, id: &str, name: &str) -> Result<Passkey> {
    let name = name.trim();
    if name.is_empty() {
        let message = "[body.name] Too small: expected string to have >=1 characters";
        return Err(crate::codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, message));
    }
    let signed_in = api.require_stored_session().await?;
    let found = Passkey::with_id(api, id).await?.ok_or_else(|| codes::PASSKEY_NOT_FOUND.not_found())?;
    if found.user_id != signed_in.user.id {
        return Err(codes::YOU_ARE_NOT_ALLOWED_TO_REGISTER_THIS_PASSKEY.unauthorized());
    }
    let mut changes = api.changes();
    let mine = Filter::by("id", &found.id).and_by("userId", &signed_in.user.id);
    let written = changes.update_expecting("passkey", mine, Record::new().with("name", name)).await?;
    match changes.commit().await? {
        Commit::Done => {
            api.emit(api.event(SecurityEventKind::PasskeyRenamed, Some(&found.user_id))).await;
            Ok(Passkey { name: written.text("name").map(str::to_owned), ..found })
        }
        Commit::Lost => Err(codes::FAILED_TO_UPDATE_PASSKEY.with(StatusCode::INTERNAL_SERVER_ERROR)),
    }
}

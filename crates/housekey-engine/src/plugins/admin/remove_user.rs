use http::StatusCode;
use serde_json::json;

use super::permission::caller_who_may;
use super::{YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS, YOU_CANNOT_REMOVE_YOURSELF, target};
use crate::{Api, Endpoint, Field, Reply, Result, SecurityEventKind, Shape};

/// `POST /admin/remove-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/remove-user", |api| Box::pin(answer(api)))
        .about("Deletes somebody and everything that is theirs.")
        .takes([Field::text("userId")])
        .answers(Shape::success())
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    body.finish()?;
    remove_user(api, &id).await?;
    Reply::json(&json!({ "success": true }))
}

/// Deletes somebody and everything that is theirs, if whoever is signed in may do that.
pub async fn remove_user(api: &mut Api, id: &str) -> Result<()> {
    let caller = caller_who_may(api, "user", "delete", YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS).await?;
    if id == caller.user.id {
        return Err(YOU_CANNOT_REMOVE_YOURSELF.bad_request());
    }
    super::options(api)?.check_target(&caller.user, &target::find(api, id).await?)?;
    target::remove(api, id).await?;
    let event = api.event(SecurityEventKind::AccountDeleted, Some(id));
    api.emit(target::by(event, &caller)).await;
    Ok(())
}

use http::StatusCode;
use serde_json::{Value as Json, json};

use super::permission::caller_who_may;
use super::{YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD, target};
use crate::{Api, Endpoint, Field, Reply, Result, Secret, Shape};

/// `POST /admin/set-user-password`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/set-user-password", |api| Box::pin(answer(api)))
        .about("Gives somebody another password.")
        .takes([Field::secret("newPassword"), Field::text("userId")])
        .answers(Shape::status())
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let password: Secret = body.secret("newPassword");
    if body.all().get("newPassword").and_then(Json::as_str) == Some("") {
        body.add_error("newPassword", "newPassword cannot be empty");
    }
    let id = target::read_user_id(&mut body);
    if id.is_empty() {
        body.add_error("userId", "userId cannot be empty");
    }
    body.finish()?;
    let caller =
        caller_who_may(api, "user", "set-password", YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD).await?;
    let user = target::find(api, &id).await?;
    super::options(api)?.check_target(&caller.user, &user)?;
    api.replace_password(&user, &password).await?;
    api.emit(target::event(api, "password-set-by-admin", &id, &caller)).await;
    Reply::json(&json!({ "status": true }))
}

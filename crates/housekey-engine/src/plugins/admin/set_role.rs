use http::StatusCode;
use serde::Serialize;
use serde_json::Value as Json;

use super::permission::caller_who_may;
use super::{YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE, target};
use crate::{Api, Endpoint, Field, Record, Reply, Result, Shape, User, UserView};

/// `POST /admin/set-role`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/admin/set-role", |api| Box::pin(answer(api)))
        .about("Gives somebody other roles.")
        .takes([
            Field::text("userId"),
            Field::new("role", Shape::one_of([Shape::text(), Shape::list(Shape::text())])).example("user"),
        ])
        .answers(Shape::object([Field::row("user", "user")]))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = target::read_user_id(&mut body);
    let role = body.all().remove("role").unwrap_or_default();
    let is_text = |role: &Json| role.is_string();
    if !is_text(&role) && !role.as_array().is_some_and(|roles| roles.iter().all(is_text)) {
        body.add_error("role", "Invalid input");
    }
    body.finish()?;
    let user = set_role(api, &id, &role).await?;
    user_reply(api, &user)
}

/// Gives somebody other roles, if whoever is signed in may do that. `role` is a name, or a list of names.
pub async fn set_role(api: &mut Api, id: &str, role: &Json) -> Result<User> {
    let caller = caller_who_may(api, "user", "set-role", YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE).await?;
    let options = super::options(api)?;
    let role = options.read_roles(role)?;
    let before = target::find(api, id).await?;
    options.check_target(&caller.user, &before)?;
    options.check_grant(&caller.user, &role)?;
    let user = target::change(api, id, &Record::new().with("role", &role), false).await?;
    target::refresh_copy(api, &caller, &user).await;
    let event = target::event(api, "role-changed", id, &caller);
    api.emit(event.with("from", options.roles_of(&before)).with("to", role)).await;
    Ok(user)
}

#[derive(Serialize)]
struct Body<'a> {
    user: UserView<'a>,
}

/// `{"user": …}`
pub(super) fn user_reply(api: &Api, user: &User) -> Result<Reply> {
    Reply::json(&Body { user: api.user_view(user)? })
}

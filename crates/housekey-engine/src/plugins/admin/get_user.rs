use super::permission::caller_who_may;
use super::{YOU_ARE_NOT_ALLOWED_TO_GET_USER, target};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, User};
use http::StatusCode;

/// `GET /admin/get-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/admin/get-user", |api| Box::pin(answer(api)))
        .about("Tells about one user.")
        .takes([Field::text("id")])
        .answers(Shape::row("user"))
        .needs_session()
        .refuses(StatusCode::FORBIDDEN, [YOU_ARE_NOT_ALLOWED_TO_GET_USER])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let id = query.text("id");
    query.finish()?;
    let user = find_user(api, &id).await?;
    Reply::json(&api.user_view(&user)?)
}

/// A user, if whoever is signed in may see them. Nobody with this id is 404.
pub async fn find_user(api: &mut Api, id: &str) -> Result<User> {
    caller_who_may(api, "user", "get", YOU_ARE_NOT_ALLOWED_TO_GET_USER).await?;
    target::find(api, id).await
}

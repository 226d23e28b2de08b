use super::permission::caller_who_may;
use super::{YOU_ARE_NOT_ALLOWED_TO_GET_USER, target};
use crate::{Api, Endpoint, Reply, Result, User};

/// `GET /admin/get-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/admin/get-user", |api| Box::pin(answer(api)))
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

use crate::wire::check_callback;
use crate::{Api, Endpoint, Record, Reply, Result};

/// `GET /delete-user/callback`: the link in the mail. It works only in a session of the same user.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/delete-user/callback", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let (token, callback) = (query.text("token"), query.optional_link("callbackURL"));
    query.finish()?;
    check_callback(api, callback.as_deref()).await?;
    api.delete_user_with(&token.into()).await?;
    match callback.filter(|callback| !callback.is_empty()) {
        Some(callback) => Reply::redirect(&callback),
        None => Reply::json(&Record::new().with("success", true).with("message", "User deleted")),
    }
}

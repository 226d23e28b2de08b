use crate::wire::check_callback;
use crate::{Api, Endpoint, Field, Record, Reply, Result, Shape};

/// `GET /delete-user/callback`: the link in the mail. It works only in a session of the same user.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/delete-user/callback", |api| Box::pin(answer(api)))
        .about("Deletes the account of whoever is signed in with the token of the mail.")
        .takes([Field::secret("token").about("The token of the mail."), Field::url("callbackURL").optional()])
        .answers(Shape::object([Field::boolean("success"), Field::text("message")]))
        .redirects()
        .needs_session()
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

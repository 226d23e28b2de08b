use super::request_password_reset::RESET_LINK;
use crate::models::Verifications;
use crate::wire::check_callback;
use crate::{Api, Endpoint, Field, Reply, Result};

/// `GET /reset-password/:token`: the link in the mail leads on to the app's page. Opening it spends nothing.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/reset-password/:token", |api| Box::pin(answer(api)))
        .about(
            "Where the link of the mail leads. It sends the browser to the page that asks for the \
             new password, with the token or with an error.",
        )
        .parameter("The token of the mail.")
        .takes([Field::url("callbackURL").about("The page that asks for the new password.")])
        .redirects()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let callback = query.link("callbackURL");
    query.finish()?;
    check_callback(api, Some(&callback)).await?;
    let base = &api.core.base;
    let token = api.request().parameter().unwrap_or_default();
    let known = Verifications(&api.core).find(&format!("{RESET_LINK}{token}")).await?.is_some();
    if callback.is_empty() {
        return Reply::redirect(&base.endpoint("/error?error=INVALID_TOKEN"));
    }
    let (name, value) = if known { ("token", token) } else { ("error", "INVALID_TOKEN") };
    Reply::redirect(&base.absolute_with(&callback, name, value))
}

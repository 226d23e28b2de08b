use http::StatusCode;
use serde_json::json;

use super::{Availability, codes, options, rules, taken};
use crate::{Api, Endpoint, Field, Reply, Result, Shape, Value};

/// `POST /is-username-available`
pub(super) fn endpoint() -> Endpoint {
    let refused = [codes::USERNAME_TOO_SHORT, codes::USERNAME_TOO_LONG, codes::INVALID_USERNAME];
    Endpoint::post("/is-username-available", |api| Box::pin(answer(api)))
        .about("Tells whether a username is free.")
        .takes([Field::text("username").example("ada")])
        .answers(Shape::object([Field::boolean("available")]))
        .refuses(StatusCode::UNPROCESSABLE_ENTITY, refused)
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let username = body.text("username");
    body.finish()?;
    if options(api)?.availability == Availability::SignedIn {
        let signed_in = api.require_session().await?;
        // Whoever can sign in as nobody in particular, as often as they like, is everybody.
        if signed_in.user.fields.get("isAnonymous").and_then(Value::as_bool) == Some(true) {
            return Err(crate::codes::UNAUTHORIZED.unauthorized());
        }
    }
    let available = is_available(api, &username).await?;
    Reply::json(&json!({ "available": available }))
}

/// Whether a name is free. One that is taken, reserved or kept is not, and which of these it is is not told. Refuses what can be
/// nobody's name. For server code there is no limit: whoever shows the answer to visitors sees to that.
pub async fn is_available(api: &Api, username: &str) -> Result<bool> {
    let options = options(api)?;
    if username.is_empty() {
        return Err(codes::INVALID_USERNAME.unprocessable());
    }
    if let Some(objection) = rules::objection(&options, username).await? {
        return Err(objection.unprocessable());
    }
    let name = rules::normalise(&options, username);
    Ok(!taken::is_taken(api, &options, &name, None).await?)
}

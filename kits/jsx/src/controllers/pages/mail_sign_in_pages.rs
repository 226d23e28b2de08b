use housekey::auth::api;
use housekey::auth::engine::plugins::magic_link::inspect;
use housekey::axum::extract::Query;
use housekey::prelude::*;

use super::auth_pages::{Link, captcha};
use super::private;
use crate::controllers::auth::captcha::EMAIL_CODE;
use crate::controllers::auth::email_code_controller as email_code;
use crate::views::pages::by_mail::{
    EmailCode, MagicLink, email_code as email_code_page, magic_link as magic_link_page,
};

/// `GET /sign-in/link`: after a link was asked for.
pub async fn magic_link_sent() -> View {
    view(magic_link_page(&MagicLink::Sent { signed_in: user().is_some() }))
}

/// `GET /magic-link?token=…`: says who would sign in. The link is spent by the button.
// spec: KEY-3
pub async fn magic_link(Query(link): Query<Link>) -> Result<Response> {
    let Some(token) = link.token() else {
        return Ok(redirect(&route("sign-in")?).status(StatusCode::FOUND).into_response());
    };
    let props = match inspect(&api()?, &token.as_str().into()).await.or_http_error()? {
        Some(link) if link.is_here => MagicLink::Opened { token, email: link.email },
        Some(_) => MagicLink::Elsewhere,
        None => MagicLink::Spent,
    };
    Ok(private(view(magic_link_page(&props))).into_response())
}

/// `GET /sign-in/code`: without a code that was asked for here there is none to type.
pub async fn email_code() -> Result<Response> {
    match email_code::waiting().await? {
        Some(email) => {
            let confirms = user().is_some_and(|user| user.email == email);
            // Whoever is in has shown that already.
            let captcha = if confirms { None } else { captcha(EMAIL_CODE)? };
            Ok(private(view(email_code_page(&EmailCode { email, confirms, captcha }))).into_response())
        }
        None => Ok(redirect(&route("sign-in")?).status(StatusCode::FOUND).into_response()),
    }
}

use axum::response::IntoResponse;
use housekey_core::translation::t;
use housekey_core::{Error, Result};
use housekey_http::response::redirect;
use housekey_http::{RequestContext, Response, run_subrequest};
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue};

use super::refused::Refused;
use crate::current::Current;

/// Carries out the request that was refused, now that the password is confirmed, and gives its answer. `sealed` is the
/// field `replay` of the confirm form.
///
/// Without one, the browser goes to `otherwise`. So it does with one that is not ours or is another session's. One that
/// waited for more than five minutes goes back to its page, with a word about it. No request is carried out twice.
///
/// It goes through the guards of its route like any other: as long as the password is not confirmed it is refused again.
pub async fn replay(sealed: Option<&str>, otherwise: &str) -> Result<Response> {
    let context = RequestContext::current()
        .ok_or_else(|| Error::internal("a refused request is carried out within another"))?;
    let Some(sealed) = sealed.filter(|sealed| !sealed.is_empty()) else {
        return Ok(redirect(otherwise).into_response());
    };
    let session = crate::session();
    let refused = Refused::decrypt(sealed)?;
    let own = refused.filter(|refused| session.is_some_and(|session| refused.belongs_to(&session.id)));
    let Some(refused) = own else { return Ok(not_done(otherwise)) };
    if refused.is_late(&context) {
        return Ok(not_done(refused.page()));
    }
    if refused.is_safe() {
        // A page is fetched at its own address, and as often as one likes.
        return Ok(redirect(refused.page_wanted().unwrap_or(otherwise)).into_response());
    }
    if !refused.spend(&context).await? {
        return Ok(redirect(refused.page()).into_response());
    }
    let earlier = match Current::find() {
        Some(current) => current.conclude(false).await,
        None => HeaderMap::new(),
    };
    let mut response = run_subrequest(refused.into_request(&context)?).await?;
    put_first(response.headers_mut(), &earlier);
    Ok(response)
}

/// Of two cookies with one name a browser keeps the last. What this request did to the session (a renewal, say) came before
/// what the other one did.
fn put_first(headers: &mut HeaderMap, earlier: &HeaderMap) {
    let later: Vec<HeaderValue> = headers.get_all(SET_COOKIE).iter().cloned().collect();
    headers.remove(SET_COOKIE);
    for (name, value) in earlier {
        headers.append(name, value.clone());
    }
    for cookie in later {
        headers.append(SET_COOKIE, cookie);
    }
}

fn not_done(page: &str) -> Response {
    let words = t("Your password is confirmed, but your request was not carried out. Please send it again.");
    redirect(page).with("status", words).into_response()
}

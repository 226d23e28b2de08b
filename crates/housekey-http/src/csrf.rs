//! Protection against forged writes (`spec: MID-8`).
//!
//! A write must carry the session's token, in the header `x-csrf-token` or in the form field `_token`; another
//! site can make a browser send the cookie, but cannot read the token. It is derived from the session's id, so it
//! changes when the id does, and asking for it writes nothing. Routes that prove their callers otherwise (an API
//! with bearer tokens, a webhook) opt out by `without_csrf()`.

use housekey_core::{Error, Result};

use crate::kernel::body;
use crate::validation::FormBody;
use crate::{Request, RequestContext};

/// The header that scripts send the token in.
pub const HEADER: &str = "x-csrf-token";

/// The form field that carries the token.
pub const FIELD: &str = "_token";

/// The token of the present session; empty outside a request. Asking for it gives the visitor a session cookie.
pub fn csrf_token() -> String {
    RequestContext::current().map(|context| context.session().csrf_token()).unwrap_or_default()
}

/// Lets a write through if it carries the session's token, and answers 419 otherwise. The handler gets the body as
/// it was sent.
pub(crate) async fn verify(context: &RequestContext, request: &mut Request) -> Result<()> {
    if !context.session().may_accept_a_token() {
        // No token could be right, so a stranger's body is not held in memory to look for one.
        body::discard(request).await;
        return Err(Error::csrf_mismatch());
    }
    let is_right = if let Some(token) = request.headers().get(HEADER) {
        context.session().accepts_token(token.to_str().unwrap_or_default()).await?
    } else if is_from_another_origin(request) {
        // Another host of this domain may have given the visitor a session of its own, whose token it knows.
        body::discard(request).await;
        false
    } else {
        let token = FormBody::text_in(request, FIELD).await?.ok_or_else(Error::csrf_mismatch)?;
        context.session().accepts_token(&token).await?
    };
    if is_right { Ok(()) } else { Err(Error::csrf_mismatch()) }
}

/// Whether a browser says that a page of another origin sent this. Scripts of such a page that send the token in a header were
/// asked about by the browser beforehand (CORS); a form is sent by any page.
fn is_from_another_origin(request: &Request) -> bool {
    let site = request.headers().get("sec-fetch-site");
    site.is_some_and(|site| site != "same-origin" && site != "none")
}

use std::sync::Arc;

use housekey_core::{Result, Scope};
use housekey_http::RequestContext;

use crate::current::Current;
use crate::{Auth, organization};

/// A scope in which [`user`](crate::user), [`gate`](crate::gate::gate) and the organisation are those that a request would find if it
/// came now: for what goes on after the request was answered, such as a stream of events. The storage is asked, not a copy in a
/// cookie, and the session is not renewed: a forgotten tab keeps nobody signed in.
///
/// ```no_run
/// use housekey_auth::{identify_again, user};
/// use housekey_http::RequestContext;
///
/// # async fn example() -> housekey_core::Result<()> {
/// let Some(request) = RequestContext::current() else { return Ok(()) };
/// // … an hour later
/// let now = identify_again(&request).await?;
/// let is_still_there = now.enter(async { user().is_some() }).await;
/// # drop(is_still_there); Ok(()) }
/// ```
///
/// It fails when that cannot be found out.
pub async fn identify_again(request: &Arc<RequestContext>) -> Result<Scope> {
    let scope = Scope::with(request.services().clone(), Arc::clone(request));
    let auth = Auth::of(request.services())?;
    if auth.has_credentials(request) {
        let find_out = async {
            Current::identify_again(Arc::clone(&auth), request).await?;
            organization::find_out(&auth).await;
            organization::known().map(drop)
        };
        scope.clone().enter(find_out).await?;
    }
    Ok(scope)
}

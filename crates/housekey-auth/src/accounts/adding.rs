use housekey_core::{Error, Result};
use housekey_http::RequestContext;

use crate::{Auth, Feature, offers};

/// Set while somebody who is signed in adds another account.
const ADDING: &str = "auth.adding";

/// For how long they may take.
const LONGEST: u64 = 30 * 60;

/// Lets whoever is signed in pass the guard `guest` for half an hour, until they have signed in with another account: call it and
/// send them to the page where people sign in. Without the plugin `multi_session` it is 404, since a second sign-in would end the
/// first.
pub fn add_account() -> Result<()> {
    let context = RequestContext::current()
        .ok_or_else(|| Error::internal("another account is added within a request"))?;
    match offers(Feature::SeveralAccounts) {
        true => context.session().put(ADDING, context.clock().unix() + LONGEST),
        false => Err(Error::not_found()),
    }
}

/// Whether somebody who is signed in is about to sign in with another account.
pub(crate) async fn is_adding_account(auth: &Auth) -> Result<bool> {
    let Some(context) = RequestContext::current() else { return Ok(false) };
    if !auth.offers(Feature::SeveralAccounts) {
        return Ok(false);
    }
    let until: Option<u64> = context.session().get(ADDING).await?;
    Ok(until.is_some_and(|until| context.clock().unix() < until))
}

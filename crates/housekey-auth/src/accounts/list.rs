use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_engine::plugins::multi_session;
use housekey_engine::{SignedIn, User};

use crate::{Feature, OrHttpError, api, offers, session};

/// An account that this browser is signed in with.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignedInAccount {
    /// What it is called in [`switch_account`] and [`sign_out_account`]: the id of its session. It opens nothing by itself, so it may
    /// stand in a page.
    pub id: String,
    /// Whose account.
    pub user: Arc<User>,
    /// Whether it is the one of the present request.
    pub is_current: bool,
}

/// The accounts that this browser is signed in with, the present one first: for a menu to go from one to the other. None without the
/// plugin `multi_session`, and none for a guest who never signed in.
///
/// ```
/// use housekey_auth::accounts;
/// use housekey_core::Result;
///
/// async fn others() -> Result<Vec<String>> {
///     let others = accounts().await?.into_iter().filter(|account| !account.is_current);
///     Ok(others.map(|account| account.user.email.clone()).collect())
/// }
/// ```
// spec: KEY-1
pub async fn accounts() -> Result<Vec<SignedInAccount>> {
    if !offers(Feature::SeveralAccounts) {
        return Ok(Vec::new());
    }
    // A session that was there before the plugin has no cookie of its own yet.
    let current = api()?.known_session().flatten();
    let others = signed_in()
        .await?
        .into_iter()
        .filter(|other| current.as_ref().is_none_or(|current| current.session.id != other.session.id));
    let account = |one: &SignedIn, is_current| SignedInAccount {
        id: one.session.id.clone(),
        user: Arc::clone(&one.user),
        is_current,
    };
    let first = current.as_deref().map(|current| account(current, true));
    Ok(first.into_iter().chain(others.map(|other| account(&other, false))).collect())
}

/// Goes on with another account that this browser is signed in with. What the framework's session held belongs to the one before
/// and is gone. An account that is not [listed](accounts) is 404.
///
/// ```
/// use axum::extract::Path;
/// use housekey_auth::switch_account;
/// use housekey_core::Result;
/// use housekey_http::response::{Redirect, redirect};
///
/// async fn switch(Path(id): Path<String>) -> Result<Redirect> {
///     switch_account(&id).await?;
///     Ok(redirect("/dashboard"))
/// }
/// ```
// spec: KEY-1
pub async fn switch_account(id: &str) -> Result<()> {
    let wanted = listed(id).await?;
    multi_session::set_active(&mut api()?, &wanted.session.token).await.or_http_error().map(drop)
}

/// Signs out of one account of this browser and stays in the others. If it was the present one, another one is from now on;
/// [`user`](crate::user) says which, if any is left. An account that is not [listed](accounts) is 404.
/// [`sign_out`](crate::sign_out) signs out of all.
// spec: KEY-1
pub async fn sign_out_account(id: &str) -> Result<()> {
    if !offers(Feature::SeveralAccounts) {
        return Err(Error::not_found());
    }
    let mut api = api()?;
    if session().is_some_and(|session| session.id == id) {
        return multi_session::sign_out(&mut api).await.or_http_error();
    }
    let unwanted = listed(id).await?;
    multi_session::revoke(&mut api, &unwanted.session.token).await.or_http_error()
}

async fn listed(id: &str) -> Result<Arc<SignedIn>> {
    if !offers(Feature::SeveralAccounts) {
        return Err(Error::not_found());
    }
    signed_in().await?.into_iter().find(|one| one.session.id == id).ok_or_else(Error::not_found)
}

async fn signed_in() -> Result<Vec<Arc<SignedIn>>> {
    multi_session::list(&api()?).await.or_http_error()
}

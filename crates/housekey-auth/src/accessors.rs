use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_engine::{Session, User};
use housekey_http::RequestContext;
use housekey_http::websocket::SocketContext;
use housekey_view::prelude::*;
use http::header::COOKIE;

use crate::api;
use crate::current::Current;

/// Who is signed in on the present request; `None` for a guest, and outside a request.
///
/// A request that carries a session cookie (or a bearer token) is looked up once, before its handler runs. A guest's
/// request touches no store.
// spec: USR-1
pub fn user() -> Option<Arc<User>> {
    Current::find()?.user()
}

/// The session of the present request; `None` for a guest, and outside a request.
pub fn session() -> Option<Arc<Session>> {
    Current::find()?.session()
}

/// The id of the admin who acts as the present user, if somebody does: for the banner that says so and leads back.
///
/// ```
/// use housekey_auth::impersonated_by;
/// use housekey_view::prelude::*;
///
/// fn banner() -> impl Renderable {
///     impersonated_by().map(|_| rsx! { <p role="status">"You act as somebody else."</p> })
/// }
/// # assert!(!banner().render().into_inner().contains("act"));
/// ```
// spec: ADM-2
pub fn impersonated_by() -> Option<String> {
    session()?.impersonated_by().map(str::to_owned)
}

/// Whether the present user is an admin, as far as this request knows: for menus and links. With the cookie cache it may be a
/// few minutes old; the guard `admin` reads the storage.
pub fn is_admin() -> bool {
    let Some(current) = Current::find() else { return false };
    let (api, user) = (current.api(), current.user());
    user.is_some_and(|user| housekey_engine::plugins::admin::is_admin(&api, &user).unwrap_or(false))
}

/// Who is signed in, or an error that answers 401: for code behind the guard `auth`.
pub fn require_user() -> Result<Arc<User>> {
    user().ok_or_else(Error::unauthenticated)
}

/// The value of a cookie of the engine's that the visitor brought, if its signature is ours: `session_token`,
/// `two_factor`. A visitor without any cookie is not looked at more closely.
///
/// ```
/// use housekey_auth::signed_cookie;
///
/// fn was_here_before() -> housekey_core::Result<bool> {
///     Ok(signed_cookie("session_token")?.is_some())
/// }
/// # assert!(!was_here_before().unwrap());
/// ```
pub fn signed_cookie(base_name: &str) -> Result<Option<String>> {
    let has_any = RequestContext::current().is_some_and(|context| context.headers().contains_key(COOKIE));
    if !has_any {
        return Ok(None);
    }
    let api = api()?;
    Ok(api.signed_cookie(&api.cookie(base_name)))
}

/// Who opened a socket. A socket has no present request, so it is asked with the context that its handler got.
///
/// ```
/// use housekey_auth::user_of;
/// use housekey_http::Response;
/// use housekey_http::websocket::{Message, SocketContext, WebSocket, WebSocketUpgrade};
///
/// async fn greet(upgrade: WebSocketUpgrade) -> Response {
///     upgrade.on_upgrade(async |mut socket: WebSocket, context: SocketContext| {
///         let name = user_of(&context).map_or_else(|| "stranger".to_owned(), |user| user.name.clone());
///         let _ = socket.send(Message::text(format!("Hello {name}"))).await;
///     })
/// }
/// ```
pub fn user_of(context: &SocketContext) -> Option<Arc<User>> {
    context.get::<Current>()?.user()
}

/// Draws something for a visitor who is signed in.
///
/// ```
/// use housekey_auth::{when_auth, when_guest};
/// use housekey_view::prelude::*;
///
/// fn corner() -> impl Renderable {
///     rsx! {
///         (when_auth(|user| rsx! { <span>(user.name)</span> }))
///         (when_guest(|| rsx! { <a href="/sign-in">"Sign in"</a> }))
///     }
/// }
/// assert!(corner().render().into_inner().contains("Sign in"));
/// ```
// spec: USR-2
pub fn when_auth<R: Renderable>(draw: impl FnOnce(Arc<User>) -> R) -> Option<R> {
    user().map(draw)
}

/// Draws something for a visitor who is not signed in.
pub fn when_guest<R: Renderable>(draw: impl FnOnce() -> R) -> Option<R> {
    user().is_none().then(draw)
}

use housekey_core::{Result, service};

use super::{Subject, UserGate};

/// The app's gate, asked on behalf of the present user. Outside an application it denies everything.
///
/// ```
/// use housekey_auth::gate::gate;
///
/// # async fn index() -> housekey_core::Result<()> {
/// let decision = gate().inspect("edit-settings", ()).await?;
/// if decision.is_denied() {
///     println!("{}", decision.reason().unwrap_or("no reason was given"));
/// }
/// # Ok(()) }
/// ```
pub fn gate() -> UserGate {
    UserGate::new(service().unwrap_or_default(), crate::user())
}

/// Whether the present user may do this, without waiting: for views. See [`UserGate::can`].
///
/// ```
/// use housekey_auth::gate::can;
/// use housekey_view::prelude::*;
///
/// # struct Post;
/// fn toolbar(post: &Post) -> impl Renderable {
///     can("update", post).then(|| rsx! { <a href="/edit">"Edit"</a> })
/// }
/// # toolbar(&Post).render();
/// ```
pub fn can<'a>(ability: &str, subject: impl Subject<'a>) -> bool {
    gate().can(ability, subject)
}

/// Goes on only if the present user may do this; else 403 with the reason. See [`UserGate::authorize`].
pub async fn authorize<'a>(ability: &str, subject: impl Subject<'a>) -> Result<()> {
    gate().authorize(ability, subject).await
}

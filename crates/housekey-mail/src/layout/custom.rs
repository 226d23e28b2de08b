use std::sync::Arc;

use housekey_core::Hook;

use super::MailParts;

/// A function of the parts of a mail that returns an HTML document. See [`layout`](fn@layout).
pub type Layout = dyn Fn(&MailParts) -> String + Send + Sync;

/// A layout of one's own, for `config/mail.rs`.
///
/// ```
/// use housekey_mail::{MailConfig, escape, layout};
///
/// let config = MailConfig {
///     layout: layout(|mail| {
///         let name = escape(&mail.app_name);
///         format!("<!doctype html><html><body><h1>{name}</h1>{}</body></html>", mail.body())
///     }),
///     ..Default::default()
/// };
/// # drop(config);
/// ```
// spec: CFG-16
pub fn layout(function: impl Fn(&MailParts) -> String + Send + Sync + 'static) -> Hook<Layout> {
    Hook::set(Arc::new(function))
}

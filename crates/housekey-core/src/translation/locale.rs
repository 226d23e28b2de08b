use std::fmt;
use std::future::Future;
use std::sync::Arc;

use crate::{AppConfig, Scope};

/// The language of the present work. A request has one; a mail has its recipient's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale(Arc<str>);

impl Locale {
    /// A language by its tag: `de`, `pt-BR`.
    pub fn new(tag: &str) -> Self {
        Self(tag.into())
    }

    /// The tag.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Makes this the language of the present request from here on.
    pub fn apply(self) {
        Scope::read(|scope| scope.set(Arc::new(self)));
    }
}

/// Finds the language of the present request when nobody has said it. The HTTP layer registers one that reads
/// `Accept-Language`; only the request that asks for a language pays for it.
#[derive(Clone)]
pub struct LocaleDetector(Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl LocaleDetector {
    /// A detector that asks this function.
    pub fn new(detect: impl Fn() -> Option<String> + Send + Sync + 'static) -> Self {
        Self(Arc::new(detect))
    }
}

impl fmt::Debug for LocaleDetector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LocaleDetector")
    }
}

/// The language spoken now: the request's or recipient's, else the app's, else English.
///
/// ```
/// assert_eq!(housekey_core::translation::locale(), "en");
/// ```
pub fn locale() -> String {
    let Some(scope) = Scope::current() else { return "en".to_owned() };
    if let Some(locale) = scope.get::<Locale>() {
        return locale.as_str().to_owned();
    }
    let detected = scope.services().get::<LocaleDetector>().and_then(|detector| (detector.0)());
    let of_the_app = || scope.services().get::<AppConfig>().map(|app| app.locale.clone());
    detected.or_else(of_the_app).unwrap_or_else(|| "en".to_owned())
}

/// Runs a future in another language: a mail to somebody who reads German, sent from an English page.
///
/// The future gets a scope of its own with the same services, so the language ends with it, whatever happens.
pub fn with_locale<F: Future>(tag: &str, future: F) -> impl Future<Output = F::Output> {
    let services = Scope::read(|scope| scope.services().clone()).unwrap_or_default();
    Scope::with(services, Arc::new(Locale::new(tag))).enter(future)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Services;

    #[tokio::test]
    async fn another_language_ends_with_the_work_it_was_for() {
        let page = async {
            Locale::new("en-GB").apply();
            assert_eq!(with_locale("de", async { locale() }).await, "de");
            assert_eq!(locale(), "en-GB");
        };
        Scope::new(Services::default()).enter(page).await;
        assert_eq!(locale(), "en");
    }
}

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use super::catalogues::Catalogues;
use super::translator::Translator;
use crate::{AppConfig, Scope};

/// The language of the present work. A request has one; a mail has its recipient's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Locale {
    tag: Arc<str>,
    is_detected: bool,
}

impl Locale {
    /// A language by its tag: `de`, `pt-BR`.
    pub fn new(tag: &str) -> Self {
        Self { tag: tag.into(), is_detected: false }
    }

    /// The tag as it was given: `pt-BR`.
    pub fn as_str(&self) -> &str {
        &self.tag
    }

    /// Makes this the language of the present request from here on.
    pub fn apply(self) {
        Scope::read(|scope| self.activate(scope));
    }

    fn activate(self, scope: &Scope) -> Arc<ActiveLocale> {
        let translator = scope.services().get::<Translator>();
        let catalogues =
            translator.map(|translator| translator.catalogues_for(&self.tag)).unwrap_or_default();
        let active = Arc::new(ActiveLocale { locale: self, catalogues });
        scope.set(active.clone());
        active
    }
}

/// The language of a scope, and its catalogues: a page asks for dozens of sentences, and looks these up once.
pub(super) struct ActiveLocale {
    locale: Locale,
    pub(super) catalogues: Catalogues,
}

/// Finds the language of the present request when nobody has said it. The HTTP layer registers one that reads
/// `Accept-Language`; only the request that asks for a language pays for it.
#[derive(Clone)]
pub struct LocaleDetector(Arc<dyn Fn() -> Option<String> + Send + Sync>);

impl LocaleDetector {
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
    Scope::read(|scope| of(scope).locale.as_str().to_owned()).unwrap_or_else(|| "en".to_owned())
}

/// The language spoken now if somebody named it, with [`Locale::apply`] or [`with_locale`]; `None` where it was found out, or
/// is nobody's choice.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use housekey_core::translation::{chosen_locale, with_locale};
///
/// assert_eq!(chosen_locale(), None);
/// assert_eq!(with_locale("de", async { chosen_locale() }).await, Some("de".to_owned()));
/// # });
/// ```
pub fn chosen_locale() -> Option<String> {
    let active = Scope::read(Scope::get::<ActiveLocale>).flatten()?;
    (!active.locale.is_detected).then(|| active.locale.as_str().to_owned())
}

/// The active language of a scope. It is found out once.
pub(super) fn of(scope: &Scope) -> Arc<ActiveLocale> {
    scope.get().unwrap_or_else(|| detect(scope).activate(scope))
}

fn detect(scope: &Scope) -> Locale {
    let detected = scope.services().get::<LocaleDetector>().and_then(|detector| (detector.0)());
    let of_the_app = || scope.services().get::<AppConfig>().map(|app| app.locale.clone());
    let tag = detected.or_else(of_the_app).unwrap_or_else(|| "en".to_owned());
    Locale { is_detected: true, ..Locale::new(&tag) }
}

/// Runs a future in another language: a mail to somebody who reads German, sent from an English page.
///
/// The future gets a scope of its own with the same services, so the language ends with it, whatever happens.
pub fn with_locale<F: Future>(tag: &str, future: F) -> impl Future<Output = F::Output> {
    let services = Scope::read(|scope| scope.services().clone()).unwrap_or_default();
    let scope = Scope::new(services);
    Locale::new(tag).activate(&scope);
    scope.enter(future)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::Services;

    #[tokio::test]
    async fn a_language_is_found_out_once_and_gives_way_to_one_that_is_named() {
        let asked = Arc::new(AtomicUsize::new(0));
        let counter = asked.clone();
        let mut services = Services::builder();
        services.insert(LocaleDetector::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
            Some("fr".to_owned())
        }));
        let page = async {
            assert_eq!((locale(), locale()), ("fr".to_owned(), "fr".to_owned()));
            assert_eq!(chosen_locale(), None);
            Locale::new("de").apply();
            assert_eq!((locale(), chosen_locale()), ("de".to_owned(), Some("de".to_owned())));
        };
        Scope::new(services.build()).enter(page).await;
        assert_eq!(asked.load(Ordering::Relaxed), 1);
    }

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

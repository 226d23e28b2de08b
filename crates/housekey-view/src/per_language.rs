use std::sync::{Arc, PoisonError, RwLock};

use housekey_core::Scope;
use housekey_core::translation::{Locale, locale, spoken};
use hypertext::{Raw, Renderable, RenderableExt};

/// A piece of a page that is the same for everyone who reads the same language: it is drawn once for each.
///
/// Nothing about a visitor gets into it: what draws it is a function without surroundings, and it runs outside the
/// request. There, nobody is signed in, and a form has no token: leave those to the page around it.
///
/// ```
/// use housekey_core::translation::t;
/// use housekey_view::PerLanguage;
/// use housekey_view::prelude::*;
///
/// #[component]
/// fn footer() -> impl Renderable {
///     static DRAWN: PerLanguage = PerLanguage::new();
///     DRAWN.draw(|| rsx! { <footer>(t("Made with care."))</footer> })
/// }
///
/// assert_eq!(rsx! { <Footer/> }.render().into_inner(), "<footer>Made with care.</footer>");
/// ```
#[derive(Debug, Default)]
pub struct PerLanguage(RwLock<Vec<Drawn>>);

#[derive(Debug)]
struct Drawn {
    edition: u64,
    language: String,
    html: Arc<str>,
}

/// No app speaks more languages. Where there are several apps in a process, as in tests, the later ones draw each time.
const MOST: usize = 64;

impl PerLanguage {
    /// Nothing is drawn yet.
    pub const fn new() -> Self {
        Self(RwLock::new(Vec::new()))
    }

    /// What `draw` makes of the language that is spoken now.
    pub fn draw<R: Renderable>(&self, draw: fn() -> R) -> Raw<Arc<str>> {
        let html = spoken(|edition, language| self.find(edition, language)).unwrap_or_else(|| {
            let html: Arc<str> = outside_the_request(|| draw().memoize()).as_str().into();
            spoken(|edition, language| self.keep(edition, language, &html));
            html
        });
        // XSS SAFETY: it was rendered by a component, which escapes.
        Raw::dangerously_create(html)
    }

    fn find(&self, edition: u64, language: &str) -> Option<Arc<str>> {
        let drawn = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let is_it = |drawn: &&Drawn| drawn.edition == edition && drawn.language == language;
        drawn.iter().find(is_it).map(|drawn| Arc::clone(&drawn.html))
    }

    fn keep(&self, edition: u64, language: &str, html: &Arc<str>) {
        let mut drawn = self.0.write().unwrap_or_else(PoisonError::into_inner);
        if drawn.len() < MOST {
            drawn.push(Drawn { edition, language: language.to_owned(), html: Arc::clone(html) });
        }
    }
}

/// Runs with the application's services and the present language, and nothing else of what surrounds it.
fn outside_the_request<R>(work: impl FnOnce() -> R) -> R {
    let services = Scope::read(|scope| scope.services().clone()).unwrap_or_default();
    Scope::with(services, Arc::new(Locale::new(&locale()))).run(work)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use housekey_core::translation::{Translator, t, with_locale};
    use housekey_core::{Scope, Services};

    use super::*;
    use crate::prelude::*;

    static DRAWINGS: AtomicUsize = AtomicUsize::new(0);

    fn greeting() -> impl Renderable {
        DRAWINGS.fetch_add(1, Ordering::Relaxed);
        rsx! { <p>(t("Hello & welcome"))</p> }
    }

    fn speaking(german: &str) -> Scope {
        let catalogue = serde_json::json!({ "Hello & welcome": german }).to_string();
        let mut services = Services::builder();
        services.insert(Translator::new("en").with("de", &catalogue).unwrap());
        Scope::new(services.build())
    }

    #[tokio::test]
    async fn it_is_drawn_once_for_each_language_and_never_in_the_words_of_another_app() {
        static DRAWN: PerLanguage = PerLanguage::new();
        let html = || DRAWN.draw(greeting).as_str().to_owned();
        let both = async || (html(), with_locale("de", async { html() }).await);
        for _ in 0..3 {
            let (english, german) = speaking("Hallo").enter(both()).await;
            assert_eq!((english.as_str(), german.as_str()), ("<p>Hello &amp; welcome</p>", "<p>Hallo</p>"));
        }
        // Three apps with catalogues of their own, two languages each.
        assert_eq!(DRAWINGS.load(Ordering::Relaxed), 6);
        let app = speaking("Guten Tag");
        for _ in 0..3 {
            let (_, german) = app.clone().enter(both()).await;
            assert_eq!(german, "<p>Guten Tag</p>");
        }
        assert_eq!(DRAWINGS.load(Ordering::Relaxed), 8);
        assert_eq!(html(), "<p>Hello &amp; welcome</p>");
    }

    #[test]
    fn there_is_a_bound() {
        let fragment = PerLanguage::new();
        for edition in 0..200 {
            fragment.keep(edition, "en", &"x".into());
        }
        assert_eq!(fragment.0.read().unwrap().len(), MOST);
    }
}

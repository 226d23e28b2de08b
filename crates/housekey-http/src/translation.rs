use std::sync::Arc;

use housekey_core::translation::{LangConfig, LocaleDetector, Translator, negotiate};
use housekey_core::{AppConfig, Result};
use http::header::ACCEPT_LANGUAGE;

use crate::{Provider, Registrar, RequestContext};

/// Brings the catalogues of the app's `lang/` folder, and the visitor's language from `Accept-Language`.
///
/// A language is chosen only among those there are catalogues for.
#[derive(Clone, Copy, Debug, Default)]
pub struct TranslationProvider;

impl Provider for TranslationProvider {
    fn name(&self) -> &'static str {
        "translation"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let config = app.config().get::<LangConfig>();
        let about = app.config().get::<AppConfig>();
        let folder = app.paths().join(&config.folder);
        let translator = Arc::new(Translator::load(&folder, about.fallback_locale.clone())?);
        if config.detect {
            let languages = translator.clone();
            app.services().insert(LocaleDetector::new(move || {
                let context = RequestContext::current()?;
                let header = context.headers().get(ACCEPT_LANGUAGE)?.to_str().ok()?;
                negotiate(header, &languages.languages()).map(ToOwned::to_owned)
            }));
        }
        app.services().insert_shared(translator);
        Ok(())
    }
}

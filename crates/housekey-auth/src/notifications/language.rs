use housekey_core::service;
use housekey_core::translation::{LocaleDetector, Translator, chosen_locale, negotiate};
use housekey_http::RequestContext;
use http::header::ACCEPT_LANGUAGE;

/// The language of a mail in our own words, for whoever sent the present request. These mails speak more languages than the
/// pages of a young app, so they choose among theirs and the app's. `None`: the language that is spoken now, which is right
/// where somebody named it, and where the app looks at nobody's wishes.
// spec: NTF-6
pub(super) fn language() -> Option<String> {
    if chosen_locale().is_some() {
        return None;
    }
    service::<LocaleDetector>()?;
    let translator = service::<Translator>()?;
    let context = RequestContext::current()?;
    let wishes = context.headers().get(ACCEPT_LANGUAGE)?.to_str().ok()?;
    negotiate(wishes, &translator.languages()).map(ToOwned::to_owned)
}

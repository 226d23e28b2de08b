//! The cookies of a request, and those of its answer, as data: [`cookies()`](crate::cookies::cookies) finds those of the present one.

mod protected;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use housekey_base::cookies::{decoded, is_cookie_name, pairs};
use housekey_core::Encrypter;
use http::header::SET_COOKIE;
use http::{HeaderMap, HeaderValue};

pub use cookie::{Cookie, SameSite};
pub use protected::{EncryptedCookies, SignedCookies};

/// Cookies coming in and going out. A handle: clones share the queue.
#[derive(Clone, Default)]
pub struct Cookies(Arc<Inner>);

#[derive(Default)]
struct Inner {
    incoming: Vec<(String, String)>,
    outgoing: Mutex<Vec<Cookie<'static>>>,
    encrypter: Option<Arc<Encrypter>>,
    secure: bool,
}

impl Cookies {
    /// Reads a request's headers. `secure` says whether outgoing cookies are for https only.
    pub(crate) fn open(headers: &HeaderMap, encrypter: Option<Arc<Encrypter>>, secure: bool) -> Self {
        let incoming = pairs(headers).map(|(name, value)| (name.to_owned(), decoded(value))).collect();
        Self(Arc::new(Inner { incoming, outgoing: Mutex::default(), encrypter, secure }))
    }

    /// The value the browser sent. When it sent several of one name, the first: browsers put the most specific
    /// path first.
    pub fn get(&self, name: &str) -> Option<String> {
        self.0.incoming.iter().find(|(key, _)| key == name).map(|(_, value)| value.clone())
    }

    /// Queues a cookie for the answer, in the place of one of the same name, path and domain.
    ///
    /// What is left unsaid gets the safe choice: path `/`, not for scripts, `SameSite=Lax`, https only when the app
    /// is.
    pub fn add(&self, mut cookie: Cookie<'static>) {
        if cookie.path().is_none() {
            cookie.set_path("/");
        }
        if cookie.http_only().is_none() {
            cookie.set_http_only(true);
        }
        if cookie.same_site().is_none() {
            cookie.set_same_site(SameSite::Lax);
        }
        if cookie.secure().is_none() {
            let needs_https = cookie.same_site() == Some(SameSite::None) || cookie.name().starts_with("__");
            cookie.set_secure(self.0.secure || needs_https);
        }
        self.queue(cookie);
    }

    /// Tells the browser to drop a cookie that was set on path `/`.
    pub fn remove(&self, name: impl Into<String>) {
        let mut cookie = Cookie::new(name.into(), "");
        cookie.make_removal();
        self.add(cookie);
    }

    /// Cookies that the browser can read but not change.
    pub fn signed(&self) -> SignedCookies {
        SignedCookies(self.clone())
    }

    /// Cookies that the browser can neither read nor change.
    pub fn encrypted(&self) -> EncryptedCookies {
        EncryptedCookies(self.clone())
    }

    /// Queues a cookie as it is.
    pub(crate) fn queue(&self, cookie: Cookie<'static>) {
        if !is_cookie_name(cookie.name()) {
            tracing::error!(name = cookie.name(), "this cannot be the name of a cookie; it was not set");
            return;
        }
        let mut outgoing = self.outgoing();
        let place = |cookie: &Cookie<'_>| {
            (cookie.name().to_owned(), cookie.path().map(str::to_owned), cookie.domain().map(str::to_owned))
        };
        outgoing.retain(|queued| place(queued) != place(&cookie));
        outgoing.push(cookie);
    }

    /// Writes the queue as `set-cookie` headers, and empties it.
    pub(crate) fn write(&self, headers: &mut HeaderMap) {
        for cookie in self.outgoing().drain(..) {
            match HeaderValue::try_from(cookie.encoded().to_string()) {
                Ok(value) => drop(headers.append(SET_COOKIE, value)),
                Err(_) => {
                    tracing::error!(name = cookie.name(), "the path or domain of a cookie is not valid");
                }
            }
        }
    }

    fn encrypter(&self) -> Option<&Encrypter> {
        self.0.encrypter.as_deref()
    }

    fn outgoing(&self) -> MutexGuard<'_, Vec<Cookie<'static>>> {
        self.0.outgoing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Cookies {
    // Names only: a value may be somebody's key.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.incoming.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(cookies: &Cookies) -> Vec<String> {
        let mut headers = HeaderMap::new();
        cookies.write(&mut headers);
        headers.get_all(SET_COOKIE).iter().map(|value| value.to_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn a_cookie_gets_the_safe_choice_where_nothing_is_said() {
        let cookies = Cookies::open(&HeaderMap::new(), None, true);
        cookies.add(Cookie::new("theme", "dark"));
        assert_eq!(written(&cookies), ["theme=dark; HttpOnly; SameSite=Lax; Secure; Path=/"]);
        cookies.add(Cookie::build(("theme", "dark")).http_only(false).path("/app").build());
        assert_eq!(written(&cookies), ["theme=dark; SameSite=Lax; Secure; Path=/app"]);
    }

    #[test]
    fn the_last_word_on_a_cookie_is_the_only_one_sent() {
        let cookies = Cookies::default();
        cookies.add(Cookie::new("a", "1"));
        cookies.add(Cookie::new("a", "2"));
        assert_eq!(written(&cookies), ["a=2; HttpOnly; SameSite=Lax; Path=/"]);
    }

    #[test]
    fn a_value_cannot_smuggle_in_attributes_or_headers() {
        let cookies = Cookies::default();
        cookies.add(Cookie::new("a", "x; Domain=evil.test\r\nset-cookie: b=1"));
        cookies.add(Cookie::new("bad name;", "x"));
        cookies.add(Cookie::build(("c", "x")).path("/\r\nevil: 1").build());
        let written = written(&cookies);
        assert_eq!(written.len(), 1);
        assert!(!written[0].contains("Domain") || written[0].contains("%3B%20Domain"), "{written:?}");
    }
}

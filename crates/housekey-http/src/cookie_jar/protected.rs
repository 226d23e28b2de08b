use cookie::Cookie;
use data_encoding::BASE64URL_NOPAD;

use super::Cookies;

/// Cookies that the browser can read but not change. The signature is bound to the cookie's name: a value signed
/// for one cookie is worth nothing under the name of another.
///
/// ```
/// use housekey_http::cookies::{Cookie, cookies};
///
/// cookies().signed().add(Cookie::new("plan", "pro"));
/// assert_eq!(cookies().signed().get("plan"), None); // nothing came in: this is no request
/// ```
#[derive(Clone, Debug)]
pub struct SignedCookies(pub(super) Cookies);

impl SignedCookies {
    /// The value, if we signed it for this name.
    pub fn get(&self, name: &str) -> Option<String> {
        let sent = self.0.get(name)?;
        let (value, signature) = sent.rsplit_once('.')?;
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).ok()?;
        let value = String::from_utf8(BASE64URL_NOPAD.decode(value.as_bytes()).ok()?).ok()?;
        self.0.encrypter()?.verify(value.as_bytes(), &signature, &purpose("signed", name)).then_some(value)
    }

    /// Signs a cookie and queues it. See [`Cookies::add`].
    pub fn add(&self, mut cookie: Cookie<'static>) {
        let Some(encrypter) = self.0.encrypter() else { return };
        let value = cookie.value().as_bytes();
        let signature = encrypter.sign(value, &purpose("signed", cookie.name()));
        cookie.set_value(format!("{}.{}", BASE64URL_NOPAD.encode(value), BASE64URL_NOPAD.encode(&signature)));
        self.0.add(cookie);
    }
}

/// Cookies that the browser can neither read nor change, bound to their names like [`SignedCookies`].
#[derive(Clone, Debug)]
pub struct EncryptedCookies(pub(super) Cookies);

impl EncryptedCookies {
    /// The value, if we sealed it for this name.
    pub fn get(&self, name: &str) -> Option<String> {
        let sent = self.0.get(name)?;
        let plain = self.0.encrypter()?.decrypt(&sent, &purpose("encrypted", name)).ok()?;
        String::from_utf8(plain).ok()
    }

    /// Seals a cookie and queues it. See [`Cookies::add`].
    pub fn add(&self, mut cookie: Cookie<'static>) {
        let Some(encrypter) = self.0.encrypter() else { return };
        let sealed = encrypter.encrypt(cookie.value().as_bytes(), &purpose("encrypted", cookie.name()));
        cookie.set_value(sealed);
        self.0.add(cookie);
    }
}

fn purpose(kind: &str, name: &str) -> String {
    format!("{kind} cookie {name}")
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use housekey_core::{AppKey, Encrypter};
    use http::header::{COOKIE, SET_COOKIE};
    use http::{HeaderMap, HeaderValue};

    use super::*;

    /// What the browser would send back after `add`.
    fn round_trip(key: &Arc<Encrypter>, add: impl FnOnce(&Cookies)) -> String {
        let cookies = Cookies::open(&HeaderMap::new(), Some(key.clone()), false);
        add(&cookies);
        let mut headers = HeaderMap::new();
        cookies.write(&mut headers);
        headers[SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned()
    }

    fn received(key: &Arc<Encrypter>, header: &str) -> Cookies {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_str(header).unwrap());
        Cookies::open(&headers, Some(key.clone()), false)
    }

    #[test]
    fn a_signed_value_reads_back_and_a_changed_cut_or_renamed_one_does_not() {
        let key = Arc::new(Encrypter::new(AppKey::generate()));
        let sent = round_trip(&key, |cookies| cookies.signed().add(Cookie::new("plan", "pro; ü")));
        assert_eq!(received(&key, &sent).signed().get("plan").as_deref(), Some("pro; ü"));

        let renamed = sent.replace("plan=", "role=");
        assert_eq!(received(&key, &renamed).signed().get("role"), None);
        for cut in "plan=".len()..sent.len() {
            assert_eq!(received(&key, &sent[..cut]).signed().get("plan"), None);
        }
        assert_eq!(received(&key, "plan=cHJv.AAAA").signed().get("plan"), None);
    }

    #[test]
    fn an_encrypted_value_hides_and_is_bound_to_its_name() {
        let key = Arc::new(Encrypter::new(AppKey::generate()));
        let sent = round_trip(&key, |cookies| cookies.encrypted().add(Cookie::new("device", "laptop")));
        assert!(!sent.contains("laptop"));
        assert_eq!(received(&key, &sent).encrypted().get("device").as_deref(), Some("laptop"));
        assert_eq!(received(&key, &sent.replace("device=", "other=")).encrypted().get("other"), None);
        assert_eq!(received(&key, &sent).signed().get("device"), None);
    }
}

use percent_encoding::percent_decode_str;

use super::Api;
use crate::cookies::CookieSpec;
use crate::session::SessionState;

/// Cookies of plugins.
impl Api {
    /// A cookie of one's own by its base name: `two_factor` becomes `better-auth.two_factor`, or what the options say.
    pub fn cookie(&self, base_name: &str) -> CookieSpec {
        self.core.cookie(base_name)
    }

    /// The value of a signed cookie, if it is ours.
    pub fn signed_cookie(&self, cookie: &CookieSpec) -> Option<String> {
        self.core.keys.verify(self.jar.get(cookie.name())?).map(str::to_owned)
    }

    pub fn has_cookie(&self, cookie: &CookieSpec) -> bool {
        self.jar.get(cookie.name()).is_some()
    }

    /// Sets a cookie whose value no one else can make, for so many seconds or until the browser closes.
    pub fn set_signed_cookie(&mut self, cookie: &CookieSpec, value: &str, max_age: Option<u32>) {
        let header = cookie.set(&self.core.keys.sign(value), max_age);
        self.push_cookie(cookie.name(), header);
    }

    /// Sets such a cookie under a name of its own, with the attributes of another: for one that there can be several of.
    pub fn set_signed_cookie_as(&mut self, like: &CookieSpec, name: &str, value: &str, max_age: Option<u32>) {
        let header = like.set_as(name, &self.core.keys.sign(value), max_age);
        self.push_cookie(name, header);
    }

    /// Takes it away again.
    pub fn clear_cookie_as(&mut self, like: &CookieSpec, name: &str) {
        self.push_cookie(name, like.clear_as(name));
    }

    /// Names and values of the signed cookies that the request carried, whose names begin with a text, and that are ours.
    pub fn signed_cookies(&self, prefix: &str) -> Vec<(String, String)> {
        let carried = self.jar.names_with(prefix);
        let ours = carried.filter_map(|name| Some((name, self.core.keys.verify(self.jar.get(name)?)?)));
        ours.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
    }

    /// Sets a cookie as it is. Anybody can make one like it: it is for what the person may know and change.
    pub fn set_plain_cookie(&mut self, cookie: &CookieSpec, value: &str, max_age: Option<u32>) {
        self.push_cookie(cookie.name(), cookie.set(value, max_age));
    }

    /// The value of a cookie as it came: anybody may have made it.
    pub fn plain_cookie(&self, cookie: &CookieSpec) -> Option<&str> {
        self.jar.get(cookie.name())
    }

    /// The cookie that carries the token of the session, signed: its name and its attributes.
    pub fn session_cookie(&self) -> CookieSpec {
        self.core.cookies.session_token.clone()
    }

    pub fn clear_cookie(&mut self, cookie: &CookieSpec) {
        self.push_cookie(cookie.name(), cookie.clear());
    }

    /// Takes the request for one that carried this session token, instead of any that it did carry. Such a client has no
    /// copy of its session in a cookie: one that comes along is not believed, and none is handed out.
    pub fn present_session_token(&mut self, token: &str) {
        let signed = self.core.keys.sign(token);
        let name = self.core.cookies.session_token.name().to_owned();
        self.jar.put(&name, signed);
        self.note_session(SessionState::default());
        self.has_presented_token = true;
    }

    /// The session token, signed, that the answer will set; `None` when it sets none or takes it away.
    pub fn session_token_to_set(&self) -> Option<String> {
        let name = self.core.cookies.session_token.name();
        let header = self.cookie_to_set(name)?;
        let value = header.split_once('=')?.1.split(';').next().filter(|value| !value.is_empty())?;
        Some(percent_decode_str(value).decode_utf8().ok()?.into_owned())
    }
}

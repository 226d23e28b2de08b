use std::fmt::Write as _;

use percent_encoding::utf8_percent_encode;

use crate::options::{CookieAttributes, EngineOptions};
use crate::url::{BaseUrl, COMPONENT};

/// The longest life that browsers grant a cookie: 400 days.
const LONGEST: u32 = 34_560_000;

/// A cookie's name and attributes, worked out once.
///
/// With the `__Secure-` or `__Host-` prefix in the name, a cookie of the same name without it is not ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CookieSpec {
    name: String,
    /// The life that the options give to this very cookie.
    own_max_age: Option<u32>,
    /// The life that they give to cookies which have none.
    default_max_age: Option<u32>,
    /// Everything that follows `Max-Age` on the wire.
    tail: String,
}

impl CookieSpec {
    pub(crate) fn new(options: &EngineOptions, base: &BaseUrl, base_name: &str) -> Self {
        let advanced = &options.advanced;
        let named_secure = advanced.use_secure_cookies.unwrap_or(base.is_https());
        let own = advanced.cookies.get(base_name);
        let none = CookieAttributes::default();
        let attributes = own.map_or(&none, |own| &own.attributes);
        let layers = [attributes, &advanced.default_cookie_attributes];
        let shared = &advanced.cross_sub_domain_cookies;
        let domain = shared.enabled.then(|| shared.domain.clone().unwrap_or_else(|| base.host().to_owned()));
        let domain = pick(&layers, |layer| layer.domain.clone()).or(domain);
        let path = pick(&layers, |layer| layer.path.clone()).unwrap_or_else(|| "/".into());
        let secure = pick(&layers, |layer| layer.secure).unwrap_or(named_secure);
        // Browsers refuse the prefix for a cookie that other hosts, or only some paths, would get.
        let is_of_host = advanced.use_host_cookies && secure && domain.is_none() && path == "/";
        let name = own.and_then(|own| own.name.clone()).unwrap_or_else(|| {
            let prefix = advanced.cookie_prefix.as_deref().unwrap_or("better-auth");
            let kind = if is_of_host {
                "__Host-"
            } else if named_secure {
                "__Secure-"
            } else {
                ""
            };
            format!("{kind}{prefix}.{base_name}")
        });
        let [own, default] = layers.map(|layer| layer.max_age);
        let tail = tail(&layers, domain, &path, secure);
        Self { name, own_max_age: own, default_max_age: default, tail }
    }

    /// The same cookie, which scripts of the page may read: not for anything that lets somebody in.
    #[must_use]
    pub fn readable_by_scripts(mut self) -> Self {
        self.tail = self.tail.replace("; HttpOnly", "");
        self
    }

    /// Another cookie with the same attributes, by its whole name. It lives for as long as whoever sets it says.
    #[must_use]
    pub fn named(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self.own_max_age = None;
        self
    }

    /// The whole name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How long the cookie lives, in seconds, when nothing but the options says so.
    pub fn life(&self) -> Option<u32> {
        self.own_max_age.or(self.default_max_age)
    }

    /// The header value that sets the cookie, for so many seconds or until the browser closes.
    pub fn set(&self, value: &str, max_age: Option<u32>) -> String {
        self.set_as(&self.name, value, max_age)
    }

    /// The header value that takes the cookie away.
    pub fn clear(&self) -> String {
        self.clear_as(&self.name)
    }

    pub(crate) fn set_as(&self, name: &str, value: &str, max_age: Option<u32>) -> String {
        let mut header = format!("{name}={}", utf8_percent_encode(value, COMPONENT));
        if let Some(seconds) = max_age {
            let seconds = self.own_max_age.unwrap_or(seconds).min(LONGEST);
            let _ = write!(header, "; Max-Age={seconds}");
        }
        header.push_str(&self.tail);
        header
    }

    pub(crate) fn clear_as(&self, name: &str) -> String {
        format!("{name}=; Max-Age=0{}", self.tail)
    }
}

fn tail(layers: &[&CookieAttributes], domain: Option<String>, path: &str, secure: bool) -> String {
    let mut tail = String::new();
    if let Some(domain) = domain {
        let _ = write!(tail, "; Domain={domain}");
    }
    let _ = write!(tail, "; Path={path}");
    if pick(layers, |layer| layer.http_only).unwrap_or(true) {
        tail.push_str("; HttpOnly");
    }
    if secure {
        tail.push_str("; Secure");
    }
    let _ = write!(tail, "; SameSite={}", pick(layers, |layer| layer.same_site).unwrap_or_default());
    if pick(layers, |layer| layer.partitioned).unwrap_or(false) {
        tail.push_str("; Partitioned");
    }
    tail
}

/// The attribute as the first layer that has it says.
fn pick<T>(layers: &[&CookieAttributes], attribute: impl Fn(&CookieAttributes) -> Option<T>) -> Option<T> {
    layers.iter().find_map(|layer| attribute(layer))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::SameSite;
    use crate::options::{CookieOverride, CrossSubDomainCookies};

    fn spec(options: &EngineOptions) -> CookieSpec {
        CookieSpec::new(options, &BaseUrl::parse(options).unwrap(), "session_token")
    }

    #[test]
    fn attributes_come_in_the_order_of_the_reference() {
        let spec = spec(&EngineOptions::default());
        assert_eq!(spec.name(), "better-auth.session_token");
        let header = spec.set("token.sig+/=", Some(604_800));
        assert_eq!(
            header,
            "better-auth.session_token=token.sig%2B%2F%3D; Max-Age=604800; Path=/; HttpOnly; SameSite=Lax"
        );
        assert_eq!(spec.clear(), "better-auth.session_token=; Max-Age=0; Path=/; HttpOnly; SameSite=Lax");
    }

    #[test]
    fn https_makes_cookies_secure_in_name_and_attribute() {
        let mut options =
            EngineOptions { base_url: "https://app.example.com".into(), ..EngineOptions::default() };
        options.advanced.cross_sub_domain_cookies = CrossSubDomainCookies { enabled: true, domain: None };
        options.advanced.default_cookie_attributes.partitioned = Some(true);
        let header = spec(&options).set("x", None);
        assert_eq!(
            header,
            "__Secure-better-auth.session_token=x; Domain=app.example.com; Path=/; HttpOnly; Secure; SameSite=Lax; Partitioned"
        );
        options.advanced.use_secure_cookies = Some(false);
        assert!(spec(&options).name().starts_with("better-auth."));
    }

    // spec: SEC-10
    #[test]
    fn a_cookie_is_the_host_s_own_where_a_browser_allows_it() {
        let mut options = EngineOptions { base_url: "https://app.example.com".into(), ..Default::default() };
        options.advanced.use_host_cookies = true;
        let header = spec(&options).set("x", None);
        assert_eq!(header, "__Host-better-auth.session_token=x; Path=/; HttpOnly; Secure; SameSite=Lax");

        let mut shared = options.clone();
        shared.advanced.cross_sub_domain_cookies = CrossSubDomainCookies { enabled: true, domain: None };
        let mut somewhere = options.clone();
        somewhere.advanced.default_cookie_attributes.path = Some("/app".into());
        for other in [shared, somewhere] {
            assert!(spec(&other).name().starts_with("__Secure-"), "{:?}", spec(&other));
        }
        options.base_url = "http://localhost:3000".into();
        assert_eq!(spec(&options).name(), "better-auth.session_token");
    }

    #[test]
    fn a_cookie_may_have_its_own_name_and_attributes() {
        let mut options = EngineOptions::default();
        options.advanced.cookie_prefix = Some("app".into());
        assert_eq!(spec(&options).name(), "app.session_token");
        let attributes =
            CookieAttributes { same_site: Some(SameSite::Strict), max_age: Some(60), ..Default::default() };
        let own = CookieOverride { name: Some("sid".into()), attributes };
        options.advanced.cookies.insert("session_token".into(), own);
        options.advanced.default_cookie_attributes.max_age = Some(5);
        assert_eq!(spec(&options).set("x", Some(9)), "sid=x; Max-Age=60; Path=/; HttpOnly; SameSite=Strict");
        assert_eq!(spec(&options).set("x", None), "sid=x; Path=/; HttpOnly; SameSite=Strict");
        options.advanced.cookies.clear();
        assert!(
            spec(&options).set("x", Some(9)).contains("Max-Age=9;"),
            "a default is for cookies without a life"
        );
        assert_eq!(spec(&options).life(), Some(5));
        let longest = spec(&EngineOptions::default()).set("x", Some(u32::MAX));
        assert!(longest.contains("Max-Age=34560000"));
    }
}

//! Addresses: the app's own, and those that links and redirects lead to.

use std::fmt;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use crate::options::EngineOptions;

/// What JavaScript's `encodeURIComponent` encodes.
pub(crate) const COMPONENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'!')
    .remove(b'~')
    .remove(b'*')
    .remove(b'\'')
    .remove(b'(')
    .remove(b')');

/// A text as one part of an address, encoded as JavaScript's `encodeURIComponent` does.
///
/// ```
/// assert_eq!(housekey_engine::encode_component("a b/c").to_string(), "a%20b%2Fc");
/// ```
pub fn component(text: &str) -> impl fmt::Display {
    utf8_percent_encode(text, COMPONENT)
}

/// Where the app is reached.
#[derive(Clone, Debug)]
pub(crate) struct BaseUrl {
    origin: String,
    host: String,
    path: String,
    https: bool,
}

impl BaseUrl {
    /// Reads `base_url` and `base_path`; the error says what is wrong with which.
    pub(crate) fn parse(options: &EngineOptions) -> Result<Self, String> {
        let given = &options.base_url;
        let url =
            Url::parse(given).map_err(|error| format!("baseURL `{given}` is not an address: {error}"))?;
        let host = url.host_str().filter(|_| matches!(url.scheme(), "http" | "https"));
        let Some(host) = host else {
            return Err(format!("baseURL `{given}` must start with http:// or https:// and name a host"));
        };
        let path = options.base_path.trim_end_matches('/');
        if !path.starts_with('/') && !path.is_empty() {
            return Err(format!("basePath `{path}` must start with a slash"));
        }
        Ok(Self {
            origin: url.origin().ascii_serialization(),
            host: host.to_owned(),
            path: path.to_owned(),
            https: url.scheme() == "https",
        })
    }

    /// Scheme, host and port.
    pub(crate) fn origin(&self) -> &str {
        &self.origin
    }

    pub(crate) fn host(&self) -> &str {
        &self.host
    }

    /// Where the endpoints sit, without a slash at the end.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    pub(crate) fn is_https(&self) -> bool {
        self.https
    }

    /// The address of an endpoint.
    pub(crate) fn endpoint(&self, path: &str) -> String {
        format!("{}{}{path}", self.origin, self.path)
    }

    /// A path or address made absolute, as a browser would write it.
    pub(crate) fn absolute(&self, target: &str) -> String {
        let base = Url::parse(&self.origin).ok();
        Url::options().base_url(base.as_ref()).parse(target).map_or_else(|_| target.to_owned(), Url::into)
    }

    /// A path or address made absolute, with a parameter that replaces any of the same name. The query is written
    /// anew, as JavaScript does when it sets one.
    pub(crate) fn absolute_with(&self, target: &str, name: &str, value: &str) -> String {
        let base = Url::parse(&self.origin).ok();
        let Ok(mut url) = Url::options().base_url(base.as_ref()).parse(target) else {
            return target.to_owned();
        };
        let mut pairs: Vec<(String, String)> = url.query_pairs().into_owned().collect();
        let first = pairs.iter().position(|(other, _)| other == name).unwrap_or(pairs.len());
        pairs.retain(|(other, _)| other != name);
        pairs.insert(first.min(pairs.len()), (name.to_owned(), value.to_owned()));
        url.query_pairs_mut().clear().extend_pairs(pairs);
        url.into()
    }
}

/// A path or an address with more parameters, in the form in which a browser would write it. The query that is there
/// is kept as it is, and the fragment stays at the end.
///
/// ```
/// use housekey_engine::with_parameter;
///
/// assert_eq!(with_parameter("/sign-in?next=%2F", &[("error", "INVALID_TOKEN")]), "/sign-in?next=%2F&error=INVALID_TOKEN");
/// ```
pub fn with_parameter(target: &str, parameters: &[(&str, &str)]) -> String {
    // Any origin will do: it is taken off again.
    const ORIGIN: &str = "https://origin.invalid";
    let is_path = target.starts_with('/');
    let base = Url::parse(ORIGIN).ok().filter(|_| is_path);
    let Ok(mut url) = Url::options().base_url(base.as_ref()).parse(target) else {
        return target.to_owned();
    };
    let more = form_urlencoded::Serializer::new(String::new()).extend_pairs(parameters).finish();
    let query = match url.query() {
        None | Some("") => more,
        Some(query) if query.ends_with('&') => format!("{query}{more}"),
        Some(query) => format!("{query}&{more}"),
    };
    url.set_query(Some(&query));
    let whole: String = url.into();
    match whole.strip_prefix(ORIGIN).filter(|_| is_path) {
        // What was `/.//host` would be another host to a browser.
        Some(path) if path.starts_with("//") => format!("/.{path}"),
        Some(path) => path.to_owned(),
        None => whole,
    }
}

/// An address as a header can carry it: what is no visible ASCII character is percent-encoded, the rest stays.
pub(crate) fn printable(target: &str) -> String {
    const INVISIBLE: &AsciiSet = &percent_encoding::CONTROLS.add(b' ');
    utf8_percent_encode(target.trim_end(), INVISIBLE).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_join_those_that_are_there() {
        assert_eq!(with_parameter("/reset", &[("error", "E"), ("why", "a b")]), "/reset?error=E&why=a+b");
        assert_eq!(with_parameter("/reset?x=1", &[("error", "E")]), "/reset?x=1&error=E");
        assert_eq!(with_parameter("/reset?y=//z&", &[("error", "E")]), "/reset?y=//z&error=E");
        assert_eq!(with_parameter("/reset#form", &[("error", "E")]), "/reset?error=E#form");
    }

    #[test]
    fn a_path_stays_a_path_of_this_host() {
        for target in
            ["/.//evil.example/", "/x/..//evil.example", "/././///evil.example", "/%2e//evil.example"]
        {
            let written = with_parameter(target, &[("error", "E")]);
            let resolved = Url::parse("http://localhost:3000").unwrap().join(&written).unwrap();
            assert_eq!(resolved.host_str(), Some("localhost"), "{target} became {written}");
        }
    }

    #[test]
    fn addresses_are_written_as_a_browser_would() {
        let error = |target| with_parameter(target, &[("error", "E")]);
        assert_eq!(error("/a b"), "/a%20b?error=E");
        assert_eq!(error("/\u{fc}"), "/%C3%BC?error=E");
        assert_eq!(error("/x "), "/x?error=E");
        assert_eq!(error("HTTP://LOCALHOST:3000"), "http://localhost:3000/?error=E");
        assert_eq!(printable("/\u{fc} x"), "/%C3%BC%20x");
        assert_eq!(printable("/a?b=%20#c"), "/a?b=%20#c");
    }

    #[test]
    fn setting_a_parameter_replaces_it_and_writes_the_query_anew() {
        let options = EngineOptions { base_url: "http://localhost:3000".into(), ..EngineOptions::default() };
        let base = BaseUrl::parse(&options).unwrap();
        let token = |target| base.absolute_with(target, "token", "t");
        assert_eq!(token("/x?y=//z"), "http://localhost:3000/x?y=%2F%2Fz&token=t");
        assert_eq!(token("/x?token=a&y=1&token=b"), "http://localhost:3000/x?token=t&y=1");
        assert_eq!(token("http://LOCALHOST:3000"), "http://localhost:3000/?token=t");
        assert_eq!(token("myapp://open/here"), "myapp://open/here?token=t");
    }

    #[test]
    fn a_base_that_is_no_web_address_is_refused() {
        for wrong in ["", "example.com", "ftp://example.com", "http://"] {
            let options = EngineOptions { base_url: wrong.into(), ..EngineOptions::default() };
            assert!(BaseUrl::parse(&options).is_err(), "{wrong}");
        }
    }
}

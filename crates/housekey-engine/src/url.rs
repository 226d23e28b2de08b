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

/// A text as one part of an address.
pub(crate) fn component(text: &str) -> impl fmt::Display {
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

    /// A path made absolute; what is absolute already stays.
    pub(crate) fn absolute(&self, target: &str) -> String {
        if target.starts_with('/') { format!("{}{target}", self.origin) } else { target.to_owned() }
    }
}

/// An address with one more parameter, before the fragment if there is one.
pub(crate) fn with_parameter(url: &str, name: &str, value: &str) -> String {
    let (address, fragment) =
        url.split_once('#').map_or((url, None), |(address, rest)| (address, Some(rest)));
    let separator = match address.find('?') {
        None => "?",
        Some(position) if position + 1 == address.len() => "",
        Some(_) => "&",
    };
    let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    format!("{address}{separator}{name}={}{fragment}", component(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_join_those_that_are_there() {
        assert_eq!(with_parameter("/reset", "token", "a b"), "/reset?token=a%20b");
        assert_eq!(with_parameter("/reset?x=1", "token", "t"), "/reset?x=1&token=t");
        assert_eq!(with_parameter("/reset#form", "error", "E"), "/reset?error=E#form");
    }

    #[test]
    fn a_base_that_is_no_web_address_is_refused() {
        for wrong in ["", "example.com", "ftp://example.com", "http://"] {
            let options = EngineOptions { base_url: wrong.into(), ..EngineOptions::default() };
            assert!(BaseUrl::parse(&options).is_err(), "{wrong}");
        }
    }
}

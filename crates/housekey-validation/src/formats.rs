//! The shapes of text that rules ask for.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, LazyLock, PoisonError, RwLock};

use regex_lite::Regex;
use time::format_description::well_known::Rfc3339;
use time::macros::format_description;
use time::{Date, OffsetDateTime};

/// An http or https address with a host. No spaces, no control characters.
pub(crate) fn is_url(text: &str) -> bool {
    let lower = text.get(..8).unwrap_or(text).to_ascii_lowercase();
    let rest = match () {
        () if lower.starts_with("https://") => &text[8..],
        () if lower.starts_with("http://") => &text[7..],
        () => return false,
    };
    if text.chars().any(|char| char.is_whitespace() || char.is_control() || "<>\"\\^`{|}".contains(char)) {
        return false;
    }
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let host = authority.rsplit_once('@').map_or(authority, |(_, host)| host);
    if let Some(rest) = host.strip_prefix('[') {
        let Some((address, port)) = rest.split_once(']') else { return false };
        return address.parse::<std::net::Ipv6Addr>().is_ok()
            && (port.is_empty() || is_port(port.strip_prefix(':')));
    }
    match host.split_once(':') {
        Some((host, port)) => is_host_name(host) && is_port(Some(port)),
        None => is_host_name(host),
    }
}

fn is_port(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.parse::<u16>().is_ok())
}

fn is_host_name(host: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && label.len() <= 63
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|char| char.is_alphanumeric() || char == '-')
    };
    !host.is_empty() && host.len() <= 253 && host.split('.').all(is_label)
}

pub(crate) fn is_date(text: &str) -> bool {
    Date::parse(text, format_description!("[year]-[month]-[day]")).is_ok()
        || OffsetDateTime::parse(text, &Rfc3339).is_ok()
}

pub(crate) fn is_uuid(text: &str) -> bool {
    let is_dash = |at: usize| matches!(at, 8 | 13 | 18 | 23);
    text.len() == 36
        && text
            .bytes()
            .enumerate()
            .all(|(at, byte)| if is_dash(at) { byte == b'-' } else { byte.is_ascii_hexdigit() })
}

pub(crate) fn is_ip(text: &str) -> bool {
    text.parse::<IpAddr>().is_ok()
}

/// A whole number as a form sends it.
pub(crate) fn is_integer(text: &str) -> bool {
    text.parse::<i64>().is_ok() || text.parse::<u64>().is_ok()
}

/// A number as a form sends it. `inf` and `nan`, which Rust would take, are words here.
pub(crate) fn number(text: &str) -> Option<f64> {
    let starts_like_one = text.starts_with(|char: char| char.is_ascii_digit() || "+-.".contains(char));
    text.parse().ok().filter(|number: &f64| starts_like_one && number.is_finite())
}

/// Yes or no, as a form's box or a person writes it.
pub(crate) fn boolean(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "1" | "true" | "on" | "yes" => Some(true),
        "0" | "false" | "off" | "no" | "" => Some(false),
        _ => None,
    }
}

/// A compiled expression. Patterns are written in the app's code, so there are few, and each is compiled once.
pub(crate) fn regex(pattern: &'static str) -> Result<Arc<Regex>, regex_lite::Error> {
    static COMPILED: LazyLock<RwLock<HashMap<&'static str, Arc<Regex>>>> = LazyLock::new(RwLock::default);
    if let Some(regex) = COMPILED.read().unwrap_or_else(PoisonError::into_inner).get(pattern) {
        return Ok(regex.clone());
    }
    let regex = Arc::new(Regex::new(pattern)?);
    COMPILED.write().unwrap_or_else(PoisonError::into_inner).insert(pattern, regex.clone());
    Ok(regex)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_web_addresses_are_urls() {
        for good in
            ["https://example.com", "HTTP://localhost:3000/a?b#c", "http://[::1]:80/", "https://u:p@x.io/"]
        {
            assert!(is_url(good), "{good}");
        }
        for bad in [
            "javascript:alert(1)",
            "//x.com",
            "https://",
            "http://a b.com",
            "ftp://x.com",
            "http://x:99999",
            "http://x\n.com",
            "http://[::1",
        ] {
            assert!(!is_url(bad), "{bad}");
        }
    }

    #[test]
    fn dates_exist_and_numbers_are_numbers() {
        assert!(is_date("2024-02-29") && is_date("2024-02-29T10:00:00+01:00"));
        assert!(!is_date("2023-02-29") && !is_date("29.2.2024") && !is_date(""));
        assert_eq!(number("1e3"), Some(1000.0));
        assert_eq!(number("-.5"), Some(-0.5));
        assert!(number("inf").is_none() && number("NaN").is_none() && number("1e999").is_none());
        assert!(
            is_integer("-7") && is_integer("18446744073709551615") && !is_integer("1.0") && !is_integer("")
        );
        assert!(
            is_uuid("67e55044-10b1-426f-9247-bb680e5fe0c8") && !is_uuid("67e5504410b1426f9247bb680e5fe0c8")
        );
    }

    proptest! {
        #[test]
        fn no_text_makes_them_panic(text in ".*") {
            let _ = (is_url(&text), is_date(&text), is_uuid(&text), number(&text), boolean(&text));
        }

        #[test]
        fn no_url_prefix_makes_it_panic(text in "(?i)https?://.*") {
            is_url(&text);
        }
    }
}

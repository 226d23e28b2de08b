//! A value that is too long for one cookie is spread over `name.0`, `name.1`, …

use std::borrow::Cow;

use super::{CookieSpec, Jar};

/// The longest `Set-Cookie` that we send, name and attributes included.
const LONGEST: usize = 4050;
/// More chunks than this are not worth a cookie.
const MOST: usize = 100;

/// The headers that set a value (of characters that need no encoding), as names and texts; `None` when it is too long.
pub(crate) fn chunks_of(
    spec: &CookieSpec,
    value: &str,
    max_age: Option<u32>,
) -> Option<Vec<(String, String)>> {
    let whole = spec.set(value, max_age);
    if whole.len() <= LONGEST {
        return Some(vec![(spec.name().to_owned(), whole)]);
    }
    let overhead = spec.set_as(&format!("{}.99", spec.name()), "", max_age).len();
    let size = LONGEST.checked_sub(overhead).filter(|&size| size > 0)?;
    let parts = value.as_bytes().chunks(size);
    if parts.len() > MOST {
        return None;
    }
    let named = parts.enumerate().map(|(number, part)| {
        let name = format!("{}.{number}", spec.name());
        let header = spec.set_as(&name, &String::from_utf8_lossy(part), max_age);
        (name, header)
    });
    Some(named.collect())
}

/// The value of a cookie, joined from its chunks if it was spread.
pub(crate) fn joined<'a>(jar: &'a Jar, name: &str) -> Option<Cow<'a, str>> {
    if let Some(value) = jar.get(name) {
        return Some(value.into());
    }
    let parts = (0..MOST).map_while(|number| jar.get(&format!("{name}.{number}")));
    let value: String = parts.collect();
    (!value.is_empty()).then_some(value.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::EngineOptions;
    use crate::url::BaseUrl;

    fn spec() -> CookieSpec {
        let options = EngineOptions::default();
        CookieSpec::new(&options, &BaseUrl::parse(&options).unwrap(), "session_data")
    }

    #[test]
    fn a_short_value_is_one_cookie() {
        let chunks = chunks_of(&spec(), "abc", Some(300)).unwrap();
        assert_eq!(chunks.len(), 1);
        assert_eq!(chunks[0].0, "better-auth.session_data");
    }

    #[test]
    fn a_long_value_is_spread_and_joined_again() {
        let value: String = ('a'..='z').cycle().take(10_000).collect();
        let chunks = chunks_of(&spec(), &value, Some(300)).unwrap();
        assert_eq!(chunks.len(), 3);
        let mut jar = Jar::default();
        for (name, header) in &chunks {
            assert!(header.len() <= LONGEST);
            let stored = header.split_once('=').unwrap().1.split(';').next().unwrap();
            jar.put(name, stored.to_owned());
        }
        assert_eq!(joined(&jar, "better-auth.session_data").unwrap(), value);
    }

    #[test]
    fn what_needs_more_than_a_hundred_cookies_is_not_set() {
        assert!(chunks_of(&spec(), &"a".repeat(500_000), Some(300)).is_none());
    }
}

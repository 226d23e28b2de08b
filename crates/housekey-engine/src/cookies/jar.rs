use std::sync::Arc;

use housekey_base::cookies::{decoded, pairs};
use http::HeaderMap;

/// The cookies of a request. The first of several with one name wins. Cloning it is cheap.
#[derive(Clone, Debug, Default)]
pub(crate) struct Jar(Arc<Vec<(String, String)>>);

impl Jar {
    pub(crate) fn read(headers: &HeaderMap) -> Self {
        let mut cookies: Vec<(String, String)> = Vec::new();
        for (name, value) in pairs(headers) {
            if find(&cookies, name).is_none() {
                cookies.push((name.to_owned(), decoded(value)));
            }
        }
        Self(Arc::new(cookies))
    }

    pub(crate) fn get(&self, name: &str) -> Option<&str> {
        find(&self.0, name)
    }

    /// Names that start with a text.
    pub(crate) fn names_with(&self, prefix: &str) -> impl Iterator<Item = &str> {
        self.0.iter().map(|(name, _)| name.as_str()).filter(move |name| name.starts_with(prefix))
    }

    /// Puts a cookie in as if the request had carried it.
    pub(crate) fn put(&mut self, name: &str, value: String) {
        let cookies = Arc::make_mut(&mut self.0);
        cookies.retain(|(other, _)| other != name);
        cookies.push((name.to_owned(), value));
    }
}

fn find<'a>(cookies: &'a [(String, String)], name: &str) -> Option<&'a str> {
    cookies.iter().find(|(other, _)| other == name).map(|(_, value)| value.as_str())
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::COOKIE;

    use super::*;

    fn jar(header: &str) -> Jar {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_bytes(header.as_bytes()).unwrap());
        Jar::read(&headers)
    }

    #[test]
    fn only_so_many_are_read() {
        let many: Vec<_> = (0..300).map(|number| format!("c{number}={number}")).collect();
        let jar = jar(&many.join("; "));
        assert_eq!((jar.get("c255"), jar.get("c256")), (Some("255"), None));
    }

    #[test]
    fn cookies_are_read_as_the_reference_reads_them() {
        let jar = jar(r#"a=1; b="quoted"; a=2; c=x%2By; d=%E0%A4%A; =nameless; novalue"#);
        assert_eq!(jar.get("a"), Some("1"));
        assert_eq!(jar.get("b"), Some("quoted"));
        assert_eq!(jar.get("c"), Some("x+y"));
        assert_eq!(jar.get("d"), Some("%E0%A4%A"));
        assert_eq!(jar.get("novalue"), None);
    }

    #[test]
    fn a_cookie_that_is_no_text_leaves_the_others_alone() {
        let mut headers = HeaderMap::new();
        headers.insert(COOKIE, HeaderValue::from_bytes(b"other=\xf1; a=1").unwrap());
        assert_eq!(Jar::read(&headers).get("a"), Some("1"));
    }

    proptest::proptest! {
        #[test]
        fn any_header_can_be_read(header in "[ -~]{0,400}") {
            let _ = jar(&header);
        }
    }
}

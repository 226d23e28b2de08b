//! One answer of another server, to be given again.

use std::io;
use std::path::Path;

use bytes::Bytes;
use hyper::HeaderMap;
use hyper::header::{HeaderName, HeaderValue};

/// Where it is found, and what is sent.
pub(crate) struct Page {
    pub(crate) path: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

impl Page {
    pub(crate) fn read(file: &Path) -> io::Result<Self> {
        let text = std::fs::read_to_string(file)?;
        parse(&text).ok_or_else(|| io::Error::other(format!("{} is no page", file.display())))
    }
}

/// The path, a line for each header, an empty line, the body.
fn parse(text: &str) -> Option<Page> {
    let (head, body) = text.split_once("\n\n")?;
    let (path, lines) = head.split_once('\n')?;
    let mut headers = HeaderMap::new();
    for line in lines.lines() {
        let (name, value) = line.split_once(": ")?;
        headers.append(HeaderName::try_from(name).ok()?, HeaderValue::try_from(value).ok()?);
    }
    Some(Page { path: path.to_owned(), headers, body: Bytes::copy_from_slice(body.as_bytes()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_keeps_headers_of_the_same_name_and_empty_lines_of_its_body() {
        let page = parse("/sign-in\nset-cookie: a=1\nset-cookie: b=2\n\n<p>\n\n</p>").unwrap();
        assert_eq!(page.path, "/sign-in");
        assert_eq!(page.headers.get_all("set-cookie").iter().count(), 2);
        assert_eq!(page.body, "<p>\n\n</p>");
        assert!(parse("no page").is_none());
    }
}

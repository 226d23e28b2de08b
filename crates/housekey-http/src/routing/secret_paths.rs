use std::borrow::Cow;

use percent_encoding::percent_decode_str;

use super::matched::MatchedRoute;
use super::pattern::{Pattern, Segment};

/// The shapes of the addresses that hold a secret.
///
/// A log must not show a reset token because it was sent with another method, to an address that is cut short or goes
/// on, or spelled in another way. So not the route that a request found decides what is hidden, but the shape of its
/// path: text where the pattern has text, anything where it has a parameter.
#[derive(Debug, Default)]
pub(crate) struct SecretPaths(Vec<Pattern>);

impl SecretPaths {
    pub(super) fn add(&mut self, pattern: &Pattern) {
        self.0.push(pattern.clone());
    }

    /// A path as logs may show it, whether or not it led to a route. An address that is written out whole in the app's
    /// routes holds no secret.
    // spec: NTF-8
    pub(crate) fn loggable<'a>(&self, found: Option<&'a MatchedRoute>, path: &'a str) -> Cow<'a, str> {
        match found {
            Some(route) if route.sensitive => Cow::Borrowed(route.pattern.as_str()),
            Some(route) if !route.is_fallback && !route.pattern.has_parameters() => Cow::Borrowed(path),
            _ => self.mask(path),
        }
    }

    /// The path as a log may show it: `/reset/{token}` for `/reset/abc`, `/Reset//abc/` and `/reset%2Fabc`,
    /// `/reset/{token}/...` for `/reset/abc/more`.
    // spec: NTF-8
    pub(super) fn mask<'a>(&self, path: &'a str) -> Cow<'a, str> {
        if self.0.is_empty() {
            return Cow::Borrowed(path);
        }
        let decoded = decode_wholly(path);
        let segments = segments(&decoded);
        match self.0.iter().find(|pattern| fits(pattern, &segments)) {
            Some(pattern) => Cow::Owned(beginning(pattern, segments.len())),
            None => Cow::Borrowed(path),
        }
    }
}

/// Whether a path goes at least as far as the first parameter of a pattern, and no text on the way speaks against it.
fn fits(pattern: &Pattern, path: &[&str]) -> bool {
    let has_text = pattern.segments().iter().any(|segment| segment.name().is_none());
    let (mut texts, mut parameters) = (0, 0);
    for (segment, given) in pattern.segments().iter().zip(path) {
        match segment {
            Segment::Static(text) if text.eq_ignore_ascii_case(given) => texts += 1,
            Segment::Static(_) => return false,
            Segment::Parameter { .. } | Segment::Wildcard { .. } => parameters += 1,
        }
    }
    // `/{team}/invite/{token}` says nothing about `/dashboard`.
    parameters > 0 && (texts > 0 || !has_text)
}

/// As much of a pattern as a path of this many segments reaches.
fn beginning(pattern: &Pattern, length: usize) -> String {
    let written = pattern.as_str().split('/').filter(|segment| !segment.is_empty()).take(length);
    let mut shown: String = written.flat_map(|segment| ["/", segment]).collect();
    let is_open = matches!(pattern.segments().last(), Some(Segment::Wildcard { .. }));
    if length > pattern.segments().len() && !is_open {
        shown.push_str("/...");
    }
    shown
}

/// The text of a path that was encoded once, or by mistake again. Not without end: `%2525…` would keep us busy.
fn decode_wholly(path: &str) -> Cow<'_, str> {
    const PASSES: usize = 3;
    let mut text = Cow::Borrowed(path);
    for _ in 0..PASSES {
        if !text.contains('%') {
            break;
        }
        text = Cow::Owned(percent_decode_str(&text).decode_utf8_lossy().into_owned());
    }
    text
}

/// The segments of a path without what means nothing: doubled slashes, dots, spaces around them.
fn segments(path: &str) -> Vec<&str> {
    let mut segments = Vec::new();
    for segment in path.split(['/', '\\']).map(str::trim) {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            text => segments.push(text),
        }
    }
    segments
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mask(patterns: &[&str], path: &str) -> String {
        let mut secret = SecretPaths::default();
        for pattern in patterns {
            secret.add(&Pattern::parse(pattern, &[]).unwrap());
        }
        secret.mask(path).into_owned()
    }

    #[test]
    fn a_path_is_masked_from_its_first_parameter_on() {
        assert_eq!(mask(&["/reset/{token}/confirm"], "/reset/abc"), "/reset/{token}");
        assert_eq!(mask(&["/reset/{token}/confirm"], "/reset/abc/confirm"), "/reset/{token}/confirm");
        assert_eq!(mask(&["/reset/{token}/confirm"], "/reset/abc/confirm/x"), "/reset/{token}/confirm/...");
        assert_eq!(mask(&["/files/{*key}"], "/files/a/b/c"), "/files/{*key}");
        assert_eq!(mask(&["/{token}"], "/abc"), "/{token}");
    }

    #[test]
    fn other_paths_stay_as_they_are() {
        for path in ["/", "/reset", "/reset/", "/resets/abc", "/dashboard", "/a//b%20c/"] {
            assert_eq!(mask(&["/reset/{token}", "/{team}/invite/{token}"], path), path);
        }
        assert_eq!(mask(&["/{team}/invite/{token}"], "/acme/invite/abc"), "/{team}/invite/{token}");
    }

    proptest::proptest! {
        #[test]
        fn no_path_makes_it_panic(path in "[%/.0-9a-f25\\\\é ]{0,60}") {
            mask(&["/a/{b}/2", "/{c}", "/{d}/e"], &path);
        }
    }
}

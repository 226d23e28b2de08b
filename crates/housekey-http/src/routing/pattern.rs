use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use housekey_core::{Error, Result};
use regex_lite::Regex;

use super::path;

/// A route's path, taken apart: `/users/{id}/files/{*path}`.
#[derive(Clone, Debug)]
pub(crate) struct Pattern {
    source: String,
    segments: Vec<Segment>,
}

#[derive(Clone, Debug)]
pub(crate) enum Segment {
    /// Text that has to be there.
    Static(String),
    /// One segment of any (or the constrained) text.
    Parameter { name: String, constraint: Option<Constraint> },
    /// Everything to the end, slashes included. Always last.
    Wildcard { name: String, constraint: Option<Constraint> },
}

/// A regular expression a parameter's whole text has to match.
#[derive(Clone)]
pub(crate) struct Constraint {
    source: Arc<str>,
    /// `None` for `.*`, which takes every path however long: an expression would walk it character by character.
    regex: Option<Regex>,
}

impl Constraint {
    fn new(source: &str) -> Result<Self> {
        let regex = Regex::new(&format!("^(?:{source})$")).map_err(|error| {
            Error::internal(format!("the constraint {source:?} is no regular expression: {error}"))
        })?;
        Ok(Self { source: source.into(), regex: (source != ".*").then_some(regex) })
    }

    pub(crate) fn source(&self) -> &str {
        &self.source
    }

    pub(crate) fn accepts(&self, text: &str) -> bool {
        // A dot is any character but the end of a line.
        self.regex.as_ref().map_or_else(|| !text.contains('\n'), |regex| regex.is_match(text))
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.source(), f)
    }
}

impl Pattern {
    /// Reads a path and the constraints on its parameters. Later constraints on the same name win.
    pub(crate) fn parse(source: &str, constraints: &[(String, String)]) -> Result<Self> {
        let source = normalise(source);
        let mut segments: Vec<Segment> = Vec::new();
        let texts: Vec<&str> = source[1..].split('/').filter(|text| !text.is_empty()).collect();
        for (position, text) in texts.iter().enumerate() {
            let segment = parse_segment(text, position + 1 == texts.len(), constraints)?;
            let name = segment.name();
            if name.is_some() && segments.iter().any(|earlier| earlier.name() == name) {
                return Err(Error::internal(format!("the parameter {text} occurs twice in {source:?}")));
            }
            segments.push(segment);
        }
        Ok(Self { source, segments })
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.source
    }

    pub(crate) fn segments(&self) -> &[Segment] {
        &self.segments
    }

    pub(crate) fn has_parameters(&self) -> bool {
        self.segments.iter().any(|segment| segment.name().is_some())
    }

    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().filter_map(Segment::name)
    }

    /// Whether the path ends in a wildcard that also matches nothing.
    pub(crate) fn ends_open(&self) -> bool {
        matches!(self.segments.last(), Some(last @ Segment::Wildcard { .. }) if last.accepts(""))
    }

    /// The pattern in the notation of the router underneath, with text escaped as it stands in an address.
    pub(crate) fn to_axum(&self) -> String {
        self.join(&self.segments)
    }

    /// The pattern without its wildcard.
    pub(crate) fn to_axum_without_wildcard(&self) -> String {
        self.join(&self.segments[..self.segments.len() - 1])
    }

    fn join(&self, segments: &[Segment]) -> String {
        if segments.is_empty() {
            return "/".to_owned();
        }
        segments.iter().fold(String::new(), |path, segment| match segment {
            Segment::Static(text) => path + "/" + &path::encode_segment(text),
            Segment::Parameter { name, .. } => path + "/{" + name + "}",
            Segment::Wildcard { name, .. } => path + "/{*" + name + "}",
        })
    }

    /// What stands in a path that matches in place of the parameters, by their names.
    pub(crate) fn parameters<'a>(&'a self, path: &'a str) -> Vec<(&'a str, Cow<'a, str>)> {
        let mut parameters = Vec::new();
        let mut rest = path.strip_prefix('/').unwrap_or(path);
        for segment in &self.segments {
            let (head, tail) = rest.split_once('/').unwrap_or((rest, ""));
            match segment {
                Segment::Static(_) => {}
                Segment::Parameter { name, .. } => parameters.push((name.as_str(), path::decode(head))),
                Segment::Wildcard { name, .. } => parameters.push((name.as_str(), path::decode(rest))),
            }
            rest = tail;
        }
        parameters
    }

    /// The address in the spelling this pattern expects: text unescaped that needs no escape, no slash at the end.
    /// `None` if it is spelled that way already.
    pub(crate) fn canonical(&self, path: &str) -> Option<String> {
        if !path.ends_with('/') && !path.contains('%') {
            return None;
        }
        let mut canonical = String::with_capacity(path.len());
        let mut rest = path.strip_prefix('/').unwrap_or(path);
        for segment in &self.segments {
            let (head, tail) = rest.split_once('/').unwrap_or((rest, ""));
            match segment {
                Segment::Static(text) => {
                    canonical.push('/');
                    canonical.push_str(&path::encode_segment(text));
                }
                Segment::Parameter { .. } => {
                    canonical.push('/');
                    canonical.push_str(head);
                }
                Segment::Wildcard { .. } if rest.is_empty() => {}
                Segment::Wildcard { .. } => {
                    canonical.push('/');
                    canonical.push_str(rest);
                }
            }
            rest = tail;
        }
        if canonical.is_empty() {
            canonical.push('/');
        }
        (canonical != path).then_some(canonical)
    }
}

impl Segment {
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            Self::Static(_) => None,
            Self::Parameter { name, .. } | Self::Wildcard { name, .. } => Some(name),
        }
    }

    pub(crate) fn constraint(&self) -> Option<&Constraint> {
        match self {
            Self::Static(_) => None,
            Self::Parameter { constraint, .. } | Self::Wildcard { constraint, .. } => constraint.as_ref(),
        }
    }

    /// Whether this segment takes the (decoded) text.
    pub(crate) fn accepts(&self, text: &str) -> bool {
        match self {
            Self::Static(own) => own == text,
            Self::Parameter { constraint, .. } => {
                !text.is_empty() && constraint.as_ref().is_none_or(|constraint| constraint.accepts(text))
            }
            Self::Wildcard { constraint: Some(constraint), .. } => constraint.accepts(text),
            Self::Wildcard { constraint: None, .. } => !text.is_empty(),
        }
    }
}

/// One slash in front, none at the end: `users/` and `/users` are the same path.
pub(crate) fn normalise(path: &str) -> String {
    format!("/{}", path.trim_matches('/'))
}

fn parse_segment(text: &str, last: bool, constraints: &[(String, String)]) -> Result<Segment> {
    let Some(inner) = text.strip_prefix('{').and_then(|rest| rest.strip_suffix('}')) else {
        if text.contains(['{', '}']) {
            return Err(Error::internal(format!(
                "{text:?} mixes text and a parameter; a parameter fills its whole segment, like {{id}}"
            )));
        }
        return Ok(Segment::Static(text.to_owned()));
    };
    let (name, starred) = match inner.strip_prefix('*') {
        Some(name) => (name, true),
        None => (inner, false),
    };
    if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        return Err(Error::internal(format!(
            "{text:?} is no parameter; write {{name}} with letters, digits and _"
        )));
    }
    let constraint = constraints.iter().rev().find(|(key, _)| key == name);
    let constraint = constraint.map(|(_, source)| Constraint::new(source)).transpose()?;
    // `where_("path", ".*")` asks for slashes in the value, so the parameter takes the whole rest.
    let spans = starred || constraint.as_ref().is_some_and(|constraint| last && constraint.accepts("a/b"));
    if spans && !last {
        return Err(Error::internal(format!("the wildcard {text} has to be the end of its path")));
    }
    let name = name.to_owned();
    Ok(if spans { Segment::Wildcard { name, constraint } } else { Segment::Parameter { name, constraint } })
}

/// The text of a parameter as it goes into an address.
pub(crate) fn encode_value<'a>(segment: &Segment, value: &'a str) -> Cow<'a, str> {
    match segment {
        Segment::Wildcard { .. } => path::encode_rest(value).into(),
        _ => path::encode_segment(value),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pattern(source: &str) -> Pattern {
        Pattern::parse(source, &[]).unwrap()
    }

    fn complaint(source: &str) -> String {
        Pattern::parse(source, &[]).unwrap_err().to_string()
    }

    #[test]
    fn a_constraint_that_takes_a_slash_makes_the_last_parameter_a_wildcard() {
        let constraints = [("path".to_owned(), ".*".to_owned()), ("id".to_owned(), "[0-9]+".to_owned())];
        let open = Pattern::parse("/{path}", &constraints).unwrap();
        assert!(open.ends_open());
        assert_eq!(open.to_axum(), "/{*path}");
        assert_eq!(open.to_axum_without_wildcard(), "/");
        assert!(open.segments()[0].accepts("a/b c") && !open.segments()[0].accepts("a\nb"));
        let number = Pattern::parse("/{id}", &constraints).unwrap();
        assert_eq!(number.to_axum(), "/{id}");
        assert!(!number.segments()[0].accepts("7x"));
    }

    #[test]
    fn mistakes_in_a_path_say_what_is_wrong() {
        assert!(complaint("/a-{id}").contains("mixes text and a parameter"));
        assert!(complaint("/{}").contains("is no parameter"));
        assert!(complaint("/{*rest}/edit").contains("has to be the end"));
        assert!(complaint("/{id}/{id}").contains("occurs twice"));
        assert!(
            Pattern::parse("/{id}", &[("id".into(), "[".into())])
                .unwrap_err()
                .to_string()
                .contains("regular")
        );
    }

    #[test]
    fn an_odd_spelling_is_brought_into_the_patterns_own() {
        let user = pattern("/users/{id}");
        assert_eq!(user.canonical("/users/7"), None);
        assert_eq!(user.canonical("/users/7/").as_deref(), Some("/users/7"));
        assert_eq!(user.canonical("/%75sers/a%2Fb").as_deref(), Some("/users/a%2Fb"));
        assert_eq!(pattern("/café").canonical("/caf%c3%a9/").as_deref(), Some("/caf%C3%A9"));
        assert_eq!(pattern("/files/{*path}").canonical("/files/a/b/"), None);
    }
}

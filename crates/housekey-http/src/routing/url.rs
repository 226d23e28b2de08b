use std::collections::BTreeMap;
use std::sync::Arc;

use housekey_core::{Error, Result, service};

use super::pattern::{Pattern, Segment, encode_value};
use crate::nearest::nearest;

/// The address of a named route: `redirect(&route("settings.profile")?)`.
///
/// [`route_url`] is for routes with parameters.
pub fn route(name: &str) -> Result<String> {
    route_url(name, &[])
}

/// The address of a named route: parameters fill the path, what is left over becomes the query.
///
/// Works inside a request (or any scope of an application); elsewhere use
/// [`Application::url`](crate::Application::url).
pub fn route_url(name: &str, parameters: &[(&str, &str)]) -> Result<String> {
    generator(name)?.route(name, parameters)
}

/// The whole address of a named route, with `APP_URL` in front: for mails, and whatever leaves the app.
///
/// ```
/// use housekey_core::Result;
/// use housekey_http::absolute_url;
///
/// fn link(order: i64) -> Result<String> {
///     absolute_url("orders.show", &[("order", &order.to_string())])
/// }
/// ```
pub fn absolute_url(name: &str, parameters: &[(&str, &str)]) -> Result<String> {
    generator(name)?.absolute(name, parameters)
}

fn generator(name: &str) -> Result<Arc<UrlGenerator>> {
    service::<UrlGenerator>().ok_or_else(|| {
        Error::internal(format!("the address of {name:?} was asked for outside of an application's scope"))
    })
}

/// Turns the names of routes into addresses.
#[derive(Debug, Default)]
pub struct UrlGenerator {
    base: String,
    patterns: BTreeMap<String, Pattern>,
}

impl UrlGenerator {
    pub(crate) fn new(base: &str) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), patterns: BTreeMap::new() }
    }

    pub(crate) fn insert(&mut self, name: &str, pattern: Pattern) {
        self.patterns.insert(name.to_owned(), pattern);
    }

    /// What stands in front of a path: `APP_URL`, without a slash at its end.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The path (and query) of a named route.
    pub fn route(&self, name: &str, parameters: &[(&str, &str)]) -> Result<String> {
        let Some(pattern) = self.patterns.get(name) else {
            let hint = match nearest(name, self.patterns.keys().map(String::as_str)) {
                Some(near) => format!("; did you mean {near:?}?"),
                None => String::new(),
            };
            return Err(Error::internal(format!("no route is named {name:?}{hint}")));
        };
        let mut url = String::new();
        for segment in pattern.segments() {
            push_segment(&mut url, segment, name, parameters)?;
        }
        if url.is_empty() {
            url.push('/');
        }
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters.iter().filter(|(key, _)| !pattern.names().any(|own| own == *key)));
        let query = query.finish();
        if !query.is_empty() {
            url = format!("{url}?{query}");
        }
        Ok(url)
    }

    /// The whole address of a named route, with the app's own `APP_URL` in front: for mails.
    pub fn absolute(&self, name: &str, parameters: &[(&str, &str)]) -> Result<String> {
        Ok(format!("{}{}", self.base, self.route(name, parameters)?))
    }
}

fn push_segment(url: &mut String, segment: &Segment, route: &str, parameters: &[(&str, &str)]) -> Result<()> {
    let text = match segment {
        Segment::Static(text) => text.as_str(),
        Segment::Parameter { name, .. } | Segment::Wildcard { name, .. } => {
            let given = parameters.iter().find(|(key, _)| key == name).map(|(_, value)| *value);
            let value = match given {
                Some(value) => value,
                None if segment.accepts("") => "",
                None => {
                    return Err(Error::internal(format!("the route {route:?} needs the parameter {name:?}")));
                }
            };
            // A browser resolves dot segments before it asks, so such a value would lead elsewhere.
            let climbs = value.split('/').any(|part| part == "." || part == "..");
            if climbs || !segment.accepts(value) {
                return Err(Error::internal(format!(
                    "the route {route:?} does not take {value:?} as {name:?}"
                )));
            }
            value
        }
    };
    if !text.is_empty() {
        url.push('/');
        url.push_str(&encode_value(segment, text));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn urls() -> UrlGenerator {
        let mut urls = UrlGenerator::new("https://shop.example/");
        urls.insert("home", Pattern::parse("/", &[]).unwrap());
        urls.insert("user", Pattern::parse("/users/{id}", &[("id".into(), "[0-9]+".into())]).unwrap());
        urls.insert("files", Pattern::parse("/files/{*path}", &[]).unwrap());
        urls
    }

    #[test]
    fn parameters_fill_the_path_and_the_rest_becomes_the_query() {
        let urls = urls();
        assert_eq!(urls.route("home", &[]).unwrap(), "/");
        assert_eq!(urls.route("user", &[("id", "7"), ("tab", "a b")]).unwrap(), "/users/7?tab=a+b");
        assert_eq!(urls.route("files", &[("path", "a b/ç")]).unwrap(), "/files/a%20b/%C3%A7");
        assert_eq!(urls.absolute("user", &[("id", "7")]).unwrap(), "https://shop.example/users/7");
    }

    #[test]
    fn mistakes_are_named() {
        let urls = urls();
        let complaint = |name, parameters: &[_]| urls.route(name, parameters).unwrap_err().to_string();
        assert!(complaint("usre", &[]).contains("did you mean \"user\"?"));
        assert!(complaint("user", &[]).contains("needs the parameter \"id\""));
        assert!(complaint("user", &[("id", "x")]).contains("does not take \"x\""));
        assert!(complaint("files", &[("path", "a/../b")]).contains("does not take"));
    }
}

use std::collections::BTreeMap;
use std::panic::Location;
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

/// The address of a named route, for views: `<a href=(path_to("settings.profile"))>`.
///
/// A view has nowhere to send an error, so this gives none. A name that no route has panics in a build with debug assertions,
/// where tests and developers see it; elsewhere it is logged, and the link is `#`. [`route`] is the same with a `Result`.
///
/// ```
/// use housekey_http::{Routes, path_to, path_to_with};
/// # use housekey_core::{AppConfig, ConfigFiles, Env, Environment};
/// # use housekey_http::App;
///
/// fn web(route: &mut Routes) {
///     route.get("/settings/profile", async || "Profile").name("settings.profile");
///     route.get("/books/{book}", async || "A book").name("books.show");
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// # let folder = tempfile::tempdir()?;
/// # let app = App::new(ConfigFiles::new()).root(folder.path()).env(Env::empty()).routes(web);
/// # let app = app.configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Testing)).boot()?;
/// # app.scope().enter(async {
/// assert_eq!(path_to("settings.profile"), "/settings/profile");
/// // What the path does not take becomes the query.
/// assert_eq!(path_to_with("books.show", &[("book", "7"), ("tab", "loans")]), "/books/7?tab=loans");
/// # }).await;
/// # Ok(()) }
/// ```
#[track_caller]
pub fn path_to(name: &str) -> String {
    path_to_with(name, &[])
}

/// The address of a named route with parameters, for views: [`path_to`] as [`route_url`] is [`route`].
#[track_caller]
pub fn path_to_with(name: &str, parameters: &[(&str, &str)]) -> String {
    // No `unwrap_or_else`: the caller is lost in a closure.
    match route_url(name, parameters) {
        Ok(path) => path,
        Err(error) => nowhere(&error, Location::caller(), cfg!(debug_assertions)),
    }
}

/// One wrong link must not take a page from people who came for something else.
#[track_caller]
fn nowhere(error: &Error, place: &Location<'_>, panics: bool) -> String {
    assert!(!panics, "{error}");
    tracing::error!(%error, %place, "a link leads nowhere");
    "#".to_owned()
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
    routes: BTreeMap<String, NamedRoute>,
}

#[derive(Debug)]
struct NamedRoute {
    pattern: Pattern,
    /// The whole path where it has no parameters: pages ask for dozens of these.
    path: Option<String>,
}

impl UrlGenerator {
    pub(crate) fn new(base: &str) -> Self {
        Self { base: base.trim_end_matches('/').to_owned(), routes: BTreeMap::new() }
    }

    pub(crate) fn insert(&mut self, name: &str, pattern: Pattern) {
        let path = if pattern.has_parameters() { None } else { path_of(name, &pattern, &[]).ok() };
        self.routes.insert(name.to_owned(), NamedRoute { pattern, path });
    }

    /// What stands in front of a path: `APP_URL`, without a slash at its end.
    pub(crate) fn base(&self) -> &str {
        &self.base
    }

    /// The path (and query) of a named route.
    pub fn route(&self, name: &str, parameters: &[(&str, &str)]) -> Result<String> {
        let Some(NamedRoute { pattern, path }) = self.routes.get(name) else {
            let hint = match nearest(name, self.routes.keys().map(String::as_str)) {
                Some(near) => format!("; did you mean {near:?}?"),
                None => String::new(),
            };
            return Err(Error::internal(format!("no route is named {name:?}{hint}")));
        };
        let url = match path {
            Some(path) => path.clone(),
            None => path_of(name, pattern, parameters)?,
        };
        if parameters.is_empty() {
            return Ok(url);
        }
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(parameters.iter().filter(|(key, _)| !pattern.names().any(|own| own == *key)));
        let query = query.finish();
        Ok(if query.is_empty() { url } else { format!("{url}?{query}") })
    }

    /// The whole address of a named route, with the app's own `APP_URL` in front: for mails.
    pub fn absolute(&self, name: &str, parameters: &[(&str, &str)]) -> Result<String> {
        Ok(format!("{}{}", self.base, self.route(name, parameters)?))
    }
}

fn path_of(route: &str, pattern: &Pattern, parameters: &[(&str, &str)]) -> Result<String> {
    let mut path = String::new();
    for segment in pattern.segments() {
        push_segment(&mut path, segment, route, parameters)?;
    }
    if path.is_empty() {
        path.push('/');
    }
    Ok(path)
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

    #[test]
    fn a_path_without_parameters_is_ready_and_takes_a_query() {
        let mut urls = urls();
        urls.insert("spaces", Pattern::parse("/a b", &[]).unwrap());
        assert_eq!(urls.route("spaces", &[]).unwrap(), "/a%20b");
        assert_eq!(urls.route("home", &[("tab", "a b")]).unwrap(), "/?tab=a+b");
    }

    #[test]
    #[should_panic(expected = "the address of \"home\" was asked for outside of an application's scope")]
    fn a_link_that_leads_nowhere_is_seen_by_a_test() {
        path_to("home");
    }

    #[test]
    fn a_link_that_leads_nowhere_takes_no_page_from_people() {
        let error = urls().route("usre", &[]).unwrap_err();
        assert_eq!(nowhere(&error, Location::caller(), false), "#");
    }
}

use std::collections::BTreeMap;

use housekey_core::{Error, Result};
use http::StatusCode;

use super::declarations::Declarations;
use super::layout;
use super::route_types::{Params, RouteTypes};
use crate::routing::{CsrfCheck, Methods, Pattern, Route, RouteTable, Segment};

/// The TypeScript of an app's typed routes, as `housekey types` writes it.
///
/// ```
/// # use housekey_core::{AppConfig, ConfigFiles, Env, Environment};
/// # use housekey_http::types::TypeFiles;
/// # use housekey_http::App;
/// # fn main() -> housekey_core::Result<()> {
/// use axum::Json;
///
/// let app = App::new(ConfigFiles::new()).routes(|route| {
///     route.group().prefix("/api").typed(|route| {
///         route.get("/time", async || Json(1_800_000_000_u64));
///     });
/// });
/// # let app = app.env(Env::empty());
/// # let app = app.configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Testing));
/// let files = TypeFiles::of(app.boot()?.routes())?;
/// assert!(files.routes.contains("'GET /time': { answer: number }"));
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeFiles {
    /// `api.gen.ts`: the types that requests and answers are made of.
    pub api: String,
    /// `routes.gen.ts`: the routes, for `@housekey/client`.
    pub routes: String,
}

/// What `@housekey/client` puts before a path unless told otherwise.
const API: &str = "/api";

const HEADER: &str = "// Written by `housekey types`; edit the Rust instead.\n";

impl TypeFiles {
    /// The names of the two files, in the order of the fields.
    pub const NAMES: [&'static str; 2] = ["api.gen.ts", "routes.gen.ts"];

    /// Writes down what is known of each typed route. Two types of one name are an error that says which.
    pub fn of(table: &RouteTable) -> Result<Self> {
        let mut declarations = Declarations::default();
        let mut api = BTreeMap::new();
        let mut pages = BTreeMap::new();
        for route in table.iter() {
            let (Some(describe), Methods::Only(methods)) = (route.types, route.methods()) else { continue };
            for method in methods {
                let mut types = RouteTypes::of(method.clone(), std::mem::take(&mut declarations));
                describe(&mut types);
                let path = shown(&route.matched.pattern);
                let (section, path) = match below_api(&path) {
                    Some(path) => (&mut api, path.to_owned()),
                    None => (&mut pages, path),
                };
                let text = entry(route, &types);
                section.insert((path, method.to_string()), text);
                declarations = types.declarations;
            }
        }
        if let Some(clash) = declarations.clash() {
            return Err(Error::internal(clash.to_owned()));
        }
        Ok(Self { api: types_file(&declarations), routes: routes_file(&api, &pages, &declarations) })
    }

    /// The files with their names.
    pub fn named(&self) -> [(&'static str, &str); 2] {
        let [api, routes] = Self::NAMES;
        [(api, &self.api), (routes, &self.routes)]
    }
}

/// Method and path to what is known of a route.
type Section = BTreeMap<(String, String), String>;

fn types_file(declarations: &Declarations) -> String {
    let declared = declarations.render();
    if declared.is_empty() {
        return format!("{HEADER}\nexport {{}}\n");
    }
    format!("{HEADER}\n{}", declared.join("\n"))
}

fn routes_file(api: &Section, pages: &Section, declarations: &Declarations) -> String {
    let sections = [
        section("Routes", "Below `/api`.", api),
        section("PageRoutes", "Called with `prefix: ''`: addresses that a browser goes to as well.", pages),
    ];
    let sections = sections.into_iter().flatten().collect::<Vec<_>>().join("\n");
    let used: Vec<&str> =
        declarations.names().filter(|name| words(&sections).any(|word| word == *name)).collect();
    // Without an import or an export it would be no module, and would declare the client instead of adding to it.
    let import = match used.as_slice() {
        [] => "export {}\n".to_owned(),
        [..] if used.join(", ").len() <= 80 => {
            format!("import type {{ {} }} from './api.gen.js'\n", used.join(", "))
        }
        used => format!("import type {{\n  {},\n}} from './api.gen.js'\n", used.join(",\n  ")),
    };
    if sections.is_empty() {
        return format!("{HEADER}\n{import}");
    }
    format!("{HEADER}\n{import}\ndeclare module '@housekey/client' {{\n{sections}}}\n")
}

fn section(name: &str, about: &str, routes: &Section) -> Option<String> {
    if routes.is_empty() {
        return None;
    }
    let routes = routes.iter().map(|((path, method), text)| {
        let key = quoted(&format!("{method} {path}"));
        layout::behind(&format!("{key}: "), text, 4) + "\n"
    });
    Some(format!("  /** {about} */\n  interface {name} {{\n{}  }}\n", routes.collect::<String>()))
}

/// What is known of a route, as the client's `RouteShape`.
fn entry(route: &Route, types: &RouteTypes) -> String {
    let names: Vec<&str> = route.matched.pattern.names().collect();
    let mut parts = Vec::new();
    if !names.is_empty() {
        parts.push(format!("params: {}", params(&names, &types.params)));
    }
    if let Some(query) = &types.query {
        parts.push(format!("query: {query}"));
    }
    if let Some(body) = &types.body {
        let mark = if body.is_optional { "?" } else { "" };
        parts.push(format!("body{mark}: {}", body.text));
    }
    if let Some(answer) = &types.answer {
        parts.push(format!("answer: {answer}"));
    }
    let errors = errors(route, types, !names.is_empty());
    if !errors.is_empty() {
        parts.push(format!("errors: {}", errors.join(" | ")));
    }
    if !types.fields.is_empty() {
        let fields: Vec<String> = types.fields.iter().map(|name| literal(name)).collect();
        parts.push(format!("fields: {}", fields.join(" | ")));
    }
    format!("{{ {} }}", parts.join(", "))
}

fn params(names: &[&str], params: &Params) -> String {
    let types = match params {
        Params::Named(name) => return name.clone(),
        Params::InOrder(types) if types.len() == names.len() => types.as_slice(),
        _ => &[],
    };
    let of = |at: usize| types.get(at).map_or("string", String::as_str);
    let each: Vec<String> =
        names.iter().enumerate().map(|(at, name)| format!("{name}: {}", of(at))).collect();
    format!("{{ {} }}", each.join(", "))
}

/// The client's names for what the route's guards, its inputs and the framework can refuse it with.
fn errors(route: &Route, types: &RouteTypes, has_params: bool) -> Vec<&'static str> {
    let mut statuses: Vec<StatusCode> = types.refusals.clone();
    statuses.extend(route.guards().iter().flat_map(|guard| guard.refuses_with().to_vec()));
    if has_params {
        statuses.push(StatusCode::NOT_FOUND);
    }
    let mut codes: Vec<u16> = statuses.into_iter().map(|status| status.as_u16()).collect();
    if route.matched.csrf == CsrfCheck::Token && !types.method().is_safe() {
        codes.push(419);
    }
    let is_named = |(code, _): &&(u16, &str)| codes.contains(code);
    NAMED.iter().filter(is_named).map(|(_, name)| *name).collect()
}

/// The statuses that have an error of their own in the client.
const NAMED: [(u16, &str); 6] = [
    (401, "'Unauthenticated'"),
    (404, "'NotFound'"),
    (419, "'Expired'"),
    (422, "'Invalid'"),
    (423, "'NeedsPasswordConfirmation'"),
    (429, "'Throttled'"),
];

/// The path with its parameters in the client's notation, which knows no wildcards.
fn shown(pattern: &Pattern) -> String {
    let segments = pattern.segments().iter().map(|segment| match segment {
        Segment::Static(text) => format!("/{text}"),
        Segment::Parameter { name, .. } | Segment::Wildcard { name, .. } => format!("/{{{name}}}"),
    });
    let path = segments.collect::<String>();
    if path.is_empty() { "/".to_owned() } else { path }
}

/// What the client is given for an address below `/api`.
fn below_api(path: &str) -> Option<&str> {
    match path.strip_prefix(API)? {
        "" => Some("/"),
        rest => rest.starts_with('/').then_some(rest),
    }
}

/// A name, or a pattern of names.
fn literal(name: &str) -> String {
    if name.contains("${") { format!("`{name}`") } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    format!("'{}'", text.replace('\\', "\\\\").replace('\'', "\\'"))
}

/// The names in a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$')).filter(|word| !word.is_empty())
}

impl RouteTable {
    /// How many routes clients are told about.
    pub fn typed_count(&self) -> usize {
        self.iter().filter(|route| route.types.is_some()).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_lies_below_api_is_called_without_a_prefix() {
        assert_eq!(below_api("/api/session"), Some("/session"));
        assert_eq!(below_api("/api"), Some("/"));
        assert_eq!(below_api("/apiary"), None);
        assert_eq!(below_api("/settings/api"), None);
    }

    #[test]
    fn a_path_with_a_quote_stays_one_string() {
        assert_eq!(quoted("GET /it's\\here"), "'GET /it\\'s\\\\here'");
        assert_eq!(literal("tags.${number}"), "`tags.${number}`");
    }
}

use std::collections::BTreeMap;

use housekey_core::{Error, Result};
use housekey_http::RouteTable;
use housekey_http::routing::Methods;
use housekey_http::types::{RouteTypes, TypeForm};

use crate::declarations::Declarations;

/// The TypeScript of an app's typed routes, as `housekey types` writes it.
///
/// ```
/// # use housekey_core::{AppConfig, ConfigFiles, Env, Environment};
/// # use housekey_http::App;
/// # use housekey_types::TypeFiles;
/// # fn main() -> housekey_core::Result<()> {
/// use housekey_http::axum::Json;
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

/// A route gets several lines rather than one that is longer.
const WIDTH: usize = 110;

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
            let Methods::Only(methods) = route.methods() else { continue };
            for method in methods {
                let Some(types) = route.types(method) else { continue };
                // The client's notation knows no wildcards.
                let path = route.path().replace("{*", "{");
                let text = entry(&path, types, &mut declarations);
                let (section, path) = match below_api(&path) {
                    Some(path) => (&mut api, path.to_owned()),
                    None => (&mut pages, path),
                };
                section.insert((path, method.to_string()), text);
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

/// Path and method to what is known of a route.
type Section = BTreeMap<(String, String), Vec<String>>;

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
    let routes = routes.iter().map(|((path, method), parts)| {
        let key = quoted(&format!("{method} {path}"));
        format!("    {key}: {}\n", object(parts, WIDTH.saturating_sub(key.chars().count() + 6)))
    });
    Some(format!("  /** {about} */\n  interface {name} {{\n{}  }}\n", routes.collect::<String>()))
}

/// On one line if that is no longer than `room`.
fn object(parts: &[String], room: usize) -> String {
    let line = format!("{{ {} }}", parts.join("; "));
    match parts {
        [] => "{}".to_owned(),
        _ if line.chars().count() <= room => line,
        _ => format!("{{\n      {}\n    }}", parts.join("\n      ")),
    }
}

/// What is known of a route, as the parts of the client's `RouteShape`.
fn entry(path: &str, types: RouteTypes, declarations: &mut Declarations) -> Vec<String> {
    let mut parts = Vec::new();
    let names: Vec<&str> =
        path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}')).collect();
    if !names.is_empty() {
        parts.push(format!("params: {}", params(&names, types.params.as_ref(), declarations)));
    }
    if let Some(query) = &types.query {
        parts.push(format!("query: {}", declarations.reference(query)));
    }
    if let Some(body) = &types.body {
        let mark = if body.is_optional { "?" } else { "" };
        parts.push(format!("body{mark}: {}", declarations.union(&body.forms)));
    }
    if let Some(answer) = types.answer {
        parts.push(format!("answer: {}", declarations.union(&[answer])));
    }
    let is_named = |(code, _): &&(u16, &str)| types.refusals.iter().any(|status| status.as_u16() == *code);
    let errors: Vec<&str> = NAMED.iter().filter(is_named).map(|(_, name)| *name).collect();
    if !errors.is_empty() {
        parts.push(format!("errors: {}", errors.join(" | ")));
    }
    if !types.fields.is_empty() {
        let fields: Vec<String> = types.fields.iter().map(|name| literal(name)).collect();
        parts.push(format!("fields: {}", fields.join(" | ")));
    }
    types.confirmed.into_iter().for_each(|confirmed| declarations.confirm(confirmed));
    parts
}

/// The parameters of a path: a struct that names them, types in their order, or text.
fn params(names: &[&str], form: Option<&TypeForm>, declarations: &mut Declarations) -> String {
    if let Some(form) = form
        && form.declaration.as_ref().is_some_and(|declaration| declaration.has_fields)
    {
        return declarations.reference(form);
    }
    let mut types = form.map(|form| declarations.items(form)).unwrap_or_default();
    if types.len() != names.len() {
        types = vec!["string".to_owned(); names.len()];
    }
    let each: Vec<String> = names.iter().zip(types).map(|(name, of)| format!("{name}: {of}")).collect();
    format!("{{ {} }}", each.join("; "))
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

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use housekey_core::{Error, Result, Services};
use http::{Extensions, HeaderValue, Method};
use serde::Serialize;

use super::definition::Definition;
use super::endpoint::{Dispatch, router_extensions};
use super::handler::RouteHandler;
use super::matched::MatchedRoute;
use super::path::is_well_formed;
use super::pattern::Pattern;
use super::route::Route;
use super::secret_paths::SecretPaths;
use super::trie::{Trie, TrieMatch};
use super::url::UrlGenerator;
use crate::guard::{Guard, GuardChain, GuardRegistry, RouteGuard};

/// Every route of an application, ready to be searched.
pub struct RouteTable {
    routes: Vec<Arc<Route>>,
    trie: Trie,
    /// Longest prefix first.
    fallbacks: Vec<Arc<Route>>,
    secret_paths: Arc<SecretPaths>,
}

/// A route as `route:list` prints it.
#[derive(Clone, Debug, Serialize, PartialEq, Eq)]
pub struct RouteInfo {
    /// The methods, `HEAD` included where `GET` brings it; `ANY` for all.
    pub methods: Vec<String>,
    /// The path, parameters in braces.
    pub path: String,
    pub name: Option<String>,
    /// The guards, in order.
    pub middleware: Vec<String>,
    /// `file:line` of the call that made it.
    pub place: String,
}

/// What a request's address leads to.
#[derive(Debug)]
pub(crate) enum Lookup {
    Route(Arc<Route>),
    /// The path exists, the method does not; the value of `Allow`.
    OtherMethods(HeaderValue),
    Nothing,
    /// The path is not well formed.
    Malformed,
}

impl Lookup {
    pub(crate) fn route(&self) -> Option<&Arc<Route>> {
        match self {
            Self::Route(route) => Some(route),
            _ => None,
        }
    }
}

impl RouteTable {
    /// Makes sense of what the app wrote down.
    pub(crate) fn build(definitions: Vec<Definition>, parts: &TableParts<'_>) -> Result<Self> {
        let mut table = Self {
            routes: Vec::new(),
            trie: Trie::default(),
            fallbacks: Vec::new(),
            secret_paths: Arc::default(),
        };
        let mut secret_paths = SecretPaths::default();
        let mut described: Vec<String> = Vec::new();
        let mut names: HashMap<String, usize> = HashMap::new();
        for definition in definitions {
            let position = described.len();
            described.push(definition.describe());
            let own = &described[position];
            if let Some(name) = &definition.name
                && let Some(earlier) = names.insert(name.clone(), position)
            {
                return Err(Error::internal(format!(
                    "{own} and {} have the same name {name:?}",
                    described[earlier]
                )));
            }
            let route = Arc::new(compile(definition, own, parts)?);
            if route.matched.sensitive {
                secret_paths.add(&route.matched.pattern);
            }
            if route.is_fallback() {
                if let Some(earlier) = table.fallbacks.iter().find(|other| other.path() == route.path()) {
                    return Err(Error::internal(format!("{own} is there already ({})", earlier.place())));
                }
                table.fallbacks.push(route.clone());
            } else if let Err(earlier) = table.trie.insert(&route.matched.pattern, route.methods(), position)
            {
                return Err(Error::internal(format!(
                    "{own} and {} answer the same address",
                    described[earlier]
                )));
            }
            table.routes.push(route);
        }
        table.fallbacks.sort_by_key(|route| std::cmp::Reverse(route.matched.pattern.segments().len()));
        table.secret_paths = Arc::new(secret_paths);
        Ok(table)
    }

    /// The routes, in the order they were written.
    pub fn iter(&self) -> impl Iterator<Item = &Route> {
        self.routes.iter().map(AsRef::as_ref)
    }

    /// The routes as `route:list` prints them.
    pub fn list(&self) -> Vec<RouteInfo> {
        let info = |route: &Route| RouteInfo {
            methods: route.methods().names(),
            path: if route.is_fallback() { fallback_path(route.path()) } else { route.path().to_owned() },
            name: route.name().map(str::to_owned),
            middleware: route.guard_labels().filter(|label| !label.is_empty()).map(str::to_owned).collect(),
            place: route.place().to_owned(),
        };
        self.iter().map(info).collect()
    }

    /// What logs must not show of a path.
    pub(crate) fn secret_paths(&self) -> &Arc<SecretPaths> {
        &self.secret_paths
    }

    pub(crate) fn find(&self, method: &Method, path: &str) -> Lookup {
        if !is_well_formed(path) {
            return Lookup::Malformed;
        }
        match self.trie.find(method, path) {
            TrieMatch::Route(position) => Lookup::Route(self.routes[position].clone()),
            TrieMatch::OtherMethods(methods) => Lookup::OtherMethods(allow(methods)),
            TrieMatch::Nothing => {
                match self.fallbacks.iter().find(|route| is_below(&route.matched.pattern, path)) {
                    Some(route) => Lookup::Route(route.clone()),
                    None => Lookup::Nothing,
                }
            }
        }
    }
}

impl fmt::Debug for RouteTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.routes).finish()
    }
}

/// What compiling a route needs besides the route.
pub(crate) struct TableParts<'a> {
    pub(crate) guards: &'a GuardRegistry,
    /// Guards in front of every route.
    pub(crate) global: &'a [Arc<dyn Guard>],
    pub(crate) services: &'a Services,
    /// Values every request carries, for axum's `Extension`.
    pub(crate) shared: &'a Extensions,
}

/// The named routes' addresses. Needed before the table itself, because guards may build on services and services
/// on addresses.
pub(crate) fn urls(definitions: &[Definition], base: &str) -> Result<UrlGenerator> {
    let mut urls = UrlGenerator::new(base);
    for definition in definitions {
        if let Some(name) = &definition.name {
            urls.insert(name, pattern_of(definition)?);
        }
    }
    Ok(urls)
}

fn pattern_of(definition: &Definition) -> Result<Pattern> {
    Pattern::parse(&definition.path, &definition.attributes.constraints)
        .map_err(|error| error.context(format!("the route {} cannot be read", definition.describe())))
}

fn compile(definition: Definition, described: &str, parts: &TableParts<'_>) -> Result<Route> {
    if let Some(mistake) = definition.mistakes.first() {
        return Err(Error::internal(format!("{described}: {mistake}")));
    }
    let pattern = pattern_of(&definition)?;
    let global =
        parts.global.iter().map(|guard| Ok(RouteGuard { label: guard.name(), guard: guard.clone() }));
    let own = definition.attributes.guards.iter().map(|spec| {
        let guard = parts.guards.resolve(spec, parts.services, described)?;
        Ok(RouteGuard { label: spec.label(), guard })
    });
    let guards = global.chain(own).collect::<Result<Box<[_]>>>()?;
    let known = match definition.is_fallback {
        true => Some(Extensions::new()),
        false if pattern.has_parameters() => None,
        false => router_extensions(&pattern),
    };
    let mut shared = parts.shared.clone();
    let dispatch = match known {
        Some(extensions) => {
            shared.extend(extensions);
            Dispatch::Direct(definition.endpoint)
        }
        None => Dispatch::Routed(definition.endpoint.router(&pattern)),
    };
    let place = format!("{}:{}", definition.place.file(), definition.place.line());
    let matched = MatchedRoute {
        methods: definition.methods,
        pattern,
        name: definition.name,
        csrf: definition.attributes.csrf,
        sensitive: definition.sensitive,
        is_fallback: definition.is_fallback,
    };
    let handler = RouteHandler::new(dispatch, definition.status, definition.headers);
    Ok(Route {
        matched: Arc::new(matched),
        chain: GuardChain::new(guards, handler),
        body_limit: definition.body_limit,
        shared,
        types: definition.types,
        about: definition.about,
        heading: definition.attributes.heading,
        refusals: definition.refusals,
        operation: definition.operation,
        status: definition.status,
        place,
    })
}

/// `GET` brings `HEAD`, and everything brings `OPTIONS`.
fn allow(mut methods: Vec<Method>) -> HeaderValue {
    if methods.contains(&Method::GET) && !methods.contains(&Method::HEAD) {
        methods.push(Method::HEAD);
    }
    if !methods.contains(&Method::OPTIONS) {
        methods.push(Method::OPTIONS);
    }
    let text = methods.iter().map(Method::as_str).collect::<Vec<_>>().join(", ");
    HeaderValue::try_from(text).unwrap_or(HeaderValue::from_static("OPTIONS"))
}

fn is_below(prefix: &Pattern, path: &str) -> bool {
    let mut segments = path.split('/').skip(1);
    prefix
        .segments()
        .iter()
        .all(|own| segments.next().is_some_and(|raw| own.accepts(&super::path::decode(raw))))
}

fn fallback_path(prefix: &str) -> String {
    format!("{}/{{fallback}}", prefix.trim_end_matches('/'))
}

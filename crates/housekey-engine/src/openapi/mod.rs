//! What an engine serves, in the words of OpenAPI 3.1: made from what its endpoints say about themselves and from its schema.
//!
//! A stand-alone engine has a whole document ([`Engine::openapi`]); an app that mounts one takes the operations one by one
//! ([`OpenApi::operation`]) and puts them among its own.

mod example;
mod operation;
mod schema;

use http::Method;
use serde_json::{Map, Value as Json, json};

use crate::{Credential, Endpoint, Engine};

/// The description of an engine.
///
/// ```
/// use housekey_engine::{Engine, MemoryStorage, options::EngineOptions};
///
/// let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// let engine = Engine::build(options, MemoryStorage::new()).unwrap();
/// let document = engine.openapi().document("My app", "1.0.0");
/// assert_eq!(document["openapi"], "3.1.1");
/// assert_eq!(document["paths"]["/get-session"]["get"]["tags"][0], "Accounts");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct OpenApi<'a> {
    engine: &'a Engine,
}

/// The tag of endpoints that belong to no plugin.
const CORE: &str = "Accounts";

/// Here and not beside the other functions, so that the engine knows nothing of how it is described.
impl Engine {
    /// What it serves, in the words of OpenAPI.
    pub fn openapi(&self) -> OpenApi<'_> {
        OpenApi { engine: self }
    }
}

impl<'a> OpenApi<'a> {
    /// The whole document. Its paths begin below the base path, which is its server.
    pub fn document(&self, title: &str, version: &str) -> Json {
        let mut paths = Map::new();
        for endpoint in self.engine.endpoints() {
            let path = paths.entry(path_of(endpoint)).or_insert_with(|| json!({}));
            if let Some(path) = path.as_object_mut() {
                path.insert(endpoint.method().as_str().to_lowercase(), self.operation(endpoint));
            }
        }
        json!({
            "openapi": "3.1.1",
            "info": { "title": title, "version": version },
            "servers": [{ "url": self.engine.core.base.endpoint("") }],
            "tags": self.tags(),
            "paths": paths,
            "components": self.components(),
        })
    }

    /// One endpoint. It names schemas and security schemes of [`components`](Self::components).
    pub fn operation(&self, endpoint: &Endpoint) -> Json {
        operation::operation(self, endpoint)
    }

    /// The schemas and security schemes that operations name.
    pub fn components(&self) -> Json {
        json!({ "schemas": schema::components(self.engine), "securitySchemes": self.security_schemes() })
    }

    /// The headings that operations stand under.
    pub fn tags(&self) -> Json {
        let mut names: Vec<&str> = Vec::new();
        for endpoint in self.engine.endpoints() {
            let name = self.tag(endpoint);
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.into_iter().map(|name| json!({ "name": name })).collect()
    }

    /// The heading of an endpoint: its plugin's id.
    fn tag(&self, endpoint: &Endpoint) -> &'a str {
        let is_its =
            |other: &Endpoint| other.path() == endpoint.path() && other.method() == endpoint.method();
        let mut plugins = self.engine.plugins().iter();
        plugins.find(|plugin| plugin.endpoints().iter().any(is_its)).map_or(CORE, |plugin| plugin.id())
    }

    /// The ways in which a request can say who sends it, by name.
    fn security_schemes(&self) -> Map<String, Json> {
        let cookie = json!({
            "type": "apiKey",
            "in": "cookie",
            "name": self.engine.session_cookie(),
            "description": "The session, as signing in sets it.",
        });
        let added = self.engine.plugins().iter().flat_map(|plugin| plugin.credentials());
        let added = added.map(|credential| match credential {
            Credential::Bearer(about) => {
                ("bearer".to_owned(), json!({ "type": "http", "scheme": "bearer", "description": about }))
            }
            Credential::Header(name, about) => (
                name.to_string(),
                json!({ "type": "apiKey", "in": "header", "name": name, "description": about }),
            ),
        });
        std::iter::once(("session".to_owned(), cookie)).chain(added).collect()
    }

    /// Any one of the ways.
    fn security(&self) -> Json {
        self.security_schemes().keys().map(|name| json!({ (name): [] })).collect()
    }

    /// Whether a plugin may ask for more before a session begins.
    fn challenges(&self) -> bool {
        self.engine.plugins().iter().any(|plugin| plugin.has_challenge())
    }
}

/// `/reset-password/:token` as OpenAPI writes it.
fn path_of(endpoint: &Endpoint) -> String {
    match endpoint.path().split_once("/:") {
        Some((prefix, name)) => format!("{prefix}/{{{name}}}"),
        None => endpoint.path().to_owned(),
    }
}

/// Whether a method has a body.
fn has_body(method: &Method) -> bool {
    !matches!(*method, Method::GET | Method::HEAD | Method::DELETE)
}

use std::collections::BTreeSet;

use housekey_core::{AppConfig, Result};
use housekey_http::RouteTable;
use housekey_http::routing::{Methods, SecuritySchemes};
use serde_json::{Map, Value, json};

use crate::OpenApiConfig;
use crate::operation::{ERROR, INVALID, operation};
use crate::schemas::Schemas;

/// What the document is made from, besides the routes.
///
/// ```
/// # use housekey_core::{AppConfig, ConfigFiles, Env, Environment};
/// # use housekey_http::App;
/// # use housekey_openapi::{Document, OpenApiConfig};
/// # fn main() -> housekey_core::Result<()> {
/// use housekey_http::axum::Json;
///
/// let app = App::new(ConfigFiles::new()).routes(|route| {
///     route.group().prefix("/api").typed(|route| {
///         route.get("/time", async || Json(1_800_000_000_u64)).about("Tells the time.");
///     });
/// });
/// # let app = app.env(Env::empty());
/// # let app = app.configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Testing));
/// let app = app.boot()?;
/// let (about, config, schemes) = (AppConfig::default(), OpenApiConfig::default(), Default::default());
/// let document = Document { app: &about, config: &config, schemes: &schemes }.of(app.routes())?;
/// assert_eq!(document["paths"]["/api/time"]["get"]["summary"], "Tells the time");
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Document<'a> {
    pub app: &'a AppConfig,
    pub config: &'a OpenApiConfig,
    /// How requests say who sends them.
    pub schemes: &'a SecuritySchemes,
}

impl Document<'_> {
    /// The document: every route that says what it takes and answers, and no other.
    pub fn of(&self, table: &RouteTable) -> Result<Value> {
        let mut parts = Parts::default();
        // The app's own routes first: whoever reads this came for them.
        let routes =
            table.iter().filter(|route| !route.is_fallback()).map(|route| (route, route.operation()));
        let (others, own): (Vec<_>, Vec<_>) = routes.partition(|(_, told)| told.is_some());
        for (route, told) in own.into_iter().chain(others) {
            let Methods::Only(methods) = route.methods() else { continue };
            for method in methods {
                let described = match (&told, route.types(method)) {
                    (Some(told), _) => {
                        parts.merge(told.components.clone());
                        told.operation.clone()
                    }
                    (None, Some(types)) => operation(route, method, types, &mut parts.schemas, self.schemes)?,
                    (None, None) => continue,
                };
                parts.add(&route.path().replace("{*", "{"), method.as_str(), described);
            }
        }
        Ok(self.assembled(parts))
    }

    fn assembled(&self, mut parts: Parts) -> Value {
        let written = std::mem::take(&mut parts.schemas).into_written();
        let schemas = parts.component("schemas");
        schemas.extend(written);
        schemas.insert(ERROR.into(), error(false));
        schemas.insert(INVALID.into(), error(true));
        let schemes = self.schemes.usual.iter().chain(&self.schemes.others);
        let named = schemes.map(|(name, scheme)| (name.clone(), scheme.clone()));
        parts.component("securitySchemes").extend(named);
        let mut info = json!({ "title": self.app.name, "version": self.config.version });
        if !self.config.description.is_empty() {
            info["description"] = self.config.description.clone().into();
        }
        parts.components.retain(|_, named| named.as_object().is_some_and(|named| !named.is_empty()));
        json!({
            "openapi": "3.1.1",
            "info": info,
            "servers": [{ "url": self.app.url }],
            "tags": parts.tags.iter().map(|name| json!({ "name": name })).collect::<Vec<_>>(),
            "paths": parts.paths,
            "components": parts.components,
        })
    }
}

#[derive(Default)]
struct Parts {
    paths: Map<String, Value>,
    components: Map<String, Value>,
    schemas: Schemas,
    /// In the order of the routes, the app's own first.
    tags: Vec<String>,
    ids: BTreeSet<String>,
}

impl Parts {
    fn add(&mut self, path: &str, method: &str, mut operation: Value) {
        for tag in operation["tags"].as_array().into_iter().flatten().filter_map(Value::as_str) {
            if !self.tags.iter().any(|known| known == tag) {
                self.tags.push(tag.to_owned());
            }
        }
        // Two that are called the same would be one to a generator of clients.
        if let Some(id) = operation["operationId"].as_str().map(str::to_owned) {
            let numbered = (2..).map(|number| format!("{id}.{number}"));
            let free = std::iter::once(id.clone()).chain(numbered).find(|id| !self.ids.contains(id));
            let free = free.unwrap_or(id);
            operation["operationId"] = free.clone().into();
            self.ids.insert(free);
        }
        let item = self.paths.entry(path.to_owned()).or_insert_with(|| json!({}));
        item[method.to_lowercase()] = operation;
    }

    fn component(&mut self, kind: &str) -> &mut Map<String, Value> {
        let named = self.components.entry(kind.to_owned()).or_insert_with(|| json!({}));
        if !named.is_object() {
            *named = json!({});
        }
        match named {
            Value::Object(named) => named,
            _ => unreachable!("it was made an object"),
        }
    }

    fn merge(&mut self, components: Value) {
        let Value::Object(components) = components else { return };
        for (kind, named) in components {
            if let Value::Object(named) = named {
                self.component(&kind).extend(named);
            }
        }
    }
}

/// What a refusal looks like in JSON.
fn error(with_fields: bool) -> Value {
    let mut schema = json!({
        "type": "object",
        "properties": {
            "message": { "type": "string", "description": "For people." },
            "code": { "type": "string", "description": "For programs, where there is more to tell than the status." },
            "requestId": { "type": "string", "description": "Under which the log knows the request." },
        },
        "required": ["message"],
    });
    if with_fields {
        schema["properties"]["errors"] = json!({
            "type": "object",
            "description": "Sentences, by the name of the field.",
            "additionalProperties": { "type": "array", "items": { "type": "string" } },
        });
        schema["required"] = json!(["message", "errors"]);
    }
    schema
}

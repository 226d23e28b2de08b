//! What accounts say about themselves, for the description of an app's API.

use housekey_engine::{Endpoint, Engine};
use housekey_http::routing::{Operation, SecuritySchemes};
use serde_json::{Value, json};

use crate::config::Identity;
use crate::{Auth, Feature};

/// An endpoint of the engine.
pub(crate) fn operation(engine: &Engine, endpoint: &Endpoint) -> Operation {
    let openapi = engine.openapi();
    Operation { operation: openapi.operation(endpoint), components: openapi.components() }
}

/// How requests to the app's own routes say who sends them.
pub(crate) fn add_schemes(auth: &Auth, schemes: &mut SecuritySchemes) {
    let mut components = auth.engine().openapi().components();
    if let Some(Value::Object(known)) = components.get_mut("securitySchemes").map(Value::take) {
        let counts = |name: &str| name != "session" || auth.config().identity == Identity::Cookie;
        schemes.usual.extend(known.into_iter().filter(|(name, _)| counts(name)));
    }
    if auth.offers(Feature::ApiKeys) {
        let about = "An API key, for programs.";
        let header = json!({ "type": "apiKey", "in": "header", "name": "x-api-key", "description": about });
        schemes.others.insert("x-api-key".into(), header);
    }
}

use std::sync::Arc;

use serde_json::{Map, Value};

/// A route in the words of OpenAPI, as something behind it describes itself.
#[derive(Clone, Debug, Default)]
pub struct Operation {
    /// The operation: `summary`, `requestBody`, `responses`, …
    pub operation: Value,
    /// The `components` that it names.
    pub components: Value,
}

pub(crate) type OperationSource = Arc<dyn Fn() -> Operation + Send + Sync>;

/// The ways in which a request can say who sends it, by name, in the words of OpenAPI. A service: who knows of one
/// [contributes](crate::Registrar::contribute) it, and routes that refuse strangers with 401 are described with them.
#[derive(Clone, Debug, Default)]
pub struct SecuritySchemes {
    /// Those that count wherever somebody has to be signed in.
    pub usual: Map<String, Value>,
    /// Those that count where a guard [names](crate::Guard::security_schemes) them.
    pub others: Map<String, Value>,
}

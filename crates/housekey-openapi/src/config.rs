use housekey_core::AppConfig;
use serde::{Deserialize, Serialize};

/// `config/openapi.rs`: the description of the API, and who gets to read it.
///
/// ```
/// use housekey_openapi::OpenApiConfig;
///
/// pub fn openapi() -> OpenApiConfig {
///     OpenApiConfig { version: "2.1.0".into(), enabled: Some(true), ..Default::default() }
/// }
/// # openapi();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct OpenApiConfig {
    /// Whether the document and its page are served. `None`: everywhere but in production.
    pub enabled: Option<bool>,
    /// Where the page is.
    pub page: String,
    /// Where the document is.
    pub document: String,
    /// The version of the API.
    pub version: String,
    /// What the API is for, above everything else.
    pub description: String,
}

impl Default for OpenApiConfig {
    fn default() -> Self {
        Self {
            enabled: None,
            page: "/api/docs".into(),
            document: "/api/openapi.json".into(),
            version: "1.0.0".into(),
            description: String::new(),
        }
    }
}

impl OpenApiConfig {
    pub(crate) fn is_served(&self, app: &AppConfig) -> bool {
        self.enabled.unwrap_or(!app.env.is_production())
    }
}

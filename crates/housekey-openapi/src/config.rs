use housekey_core::{AppConfig, Env, Error, Result};
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
    /// Whether the document and its page are served. `None`: as the variable `OPENAPI` says, `true` or `false`; without it
    /// everywhere but in production.
    pub enabled: Option<bool>,
    /// Where the page is.
    pub page: String,
    /// Where the document is.
    pub document: String,
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
    pub(crate) fn is_served(&self, app: &AppConfig, env: &Env) -> Result<bool> {
        let said = match env.get("OPENAPI").as_deref().map(str::trim) {
            None | Some("") => None,
            Some("true") => Some(true),
            Some("false") => Some(false),
            Some(other) => return Err(Error::internal(format!("OPENAPI is {other:?}: say true or false"))),
        };
        Ok(self.enabled.or(said).unwrap_or(!app.env.is_production()))
    }
}

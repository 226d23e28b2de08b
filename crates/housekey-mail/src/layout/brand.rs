use serde::{Deserialize, Serialize};

/// What the framework's own layout looks like.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Brand {
    /// The colour of the button and the edge, as `#rrggbb`. Its text is white: choose a dark one.
    pub accent: String,
    /// The address of a logo, shown 32 pixels high in place of the app's name.
    pub logo: Option<String>,
    /// A line below every mail: the company's name and postal address.
    pub footer: Option<String>,
}

impl Default for Brand {
    fn default() -> Self {
        Self { accent: "#17495f".into(), logo: None, footer: None }
    }
}

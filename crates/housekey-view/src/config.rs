use serde::{Deserialize, Serialize};

/// `config/view.rs`: what the framework's own documents (the shell and the error pages) look like.
///
/// ```
/// use housekey_view::ViewConfig;
///
/// pub fn view() -> ViewConfig {
///     ViewConfig { icon: Some("/icon.png".into()), ..Default::default() }
/// }
/// # view();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ViewConfig {
    /// The icon in the browser's tab.
    pub icon: Option<String>,
    /// What a client-routed page shows to a visitor without JavaScript.
    pub without_script: String,
    /// Whether a failing page shows its inside: causes, request, hint. `None` follows `debug` in `config/app.rs`;
    /// production never does.
    pub error_details: Option<bool>,
}

impl Default for ViewConfig {
    fn default() -> Self {
        Self {
            icon: Some("/favicon.svg".into()),
            without_script: "This page needs JavaScript to work.".into(),
            error_details: None,
        }
    }
}

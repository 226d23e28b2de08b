use housekey::{ViewConfig, default};

/// The documents that the framework writes itself: error pages, and the shell of a client-routed app.
pub fn view() -> ViewConfig {
    ViewConfig {
        // The icon in the browser's tab.
        icon: Some("/favicon.svg".into()),

        // Whether a failing page shows its causes. `None` follows APP_DEBUG; production never shows them.
        error_details: None,

        ..default()
    }
}

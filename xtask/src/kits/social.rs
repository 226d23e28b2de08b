//! A kit's app and a certified provider: people sign in with it in a browser.

use super::App;
use crate::count::Count;
use crate::suite::Failure;
use crate::workspace::Workspace;
use crate::{browser, provision};

/// The test starts the provider and the app itself: each has to know where the other is.
// spec: SOC-2, SOC-3, SOC-4, SOC-6, SOC-8
pub(super) fn test(workspace: &Workspace, app: &App) -> Result<Count, Failure> {
    let chromium = provision::chromium().ok_or("chromium is gone")?;
    browser::test_with(workspace, "social.test.mjs", |command| {
        command.env("HOUSEKEY_APP_FOLDER", app.folder()).env("CARGO_TARGET_DIR", app.target());
        command.env("CHROMIUM", &chromium);
    })
}

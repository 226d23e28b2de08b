//! A kit's app with every way in turned on: links and codes by mail, usernames, several accounts, a captcha.

use std::fs;

use super::{App, edit};
use crate::count::Count;
use crate::suite::Failure;
use crate::workspace::{Workspace, program};
use crate::{browser, node, process, provision};

/// What a person would write into `config/auth.rs`. The captcha waits until the test says where its provider is.
const MORE_WAYS: &str = r#"
fn more_ways() -> Vec<Plugin> {
    let mut plugins = vec![
        magic_link(secure()),
        email_otp(secure()),
        username(secure()),
        multi_session(secure()),
        last_login_method(secure()),
    ];
    let verify: String = env("CAPTCHA_VERIFY_URL", "");
    if !verify.is_empty() {
        let options = match env::<String>("CAPTCHA_PROVIDER", "turnstile").as_str() {
            "hcaptcha" => CaptchaOptions::hcaptcha("the-secret"),
            "recaptcha" => CaptchaOptions::recaptcha("the-secret"),
            _ => CaptchaOptions::turnstile("the-secret"),
        };
        plugins.push(captcha(CaptchaOptions {
            site_key: Some("the-site-key".into()),
            site_verify_url: Some(verify),
            allow_private_addresses: true,
            ..options
        }));
    }
    plugins
}
"#;

/// Turns them on in the app itself, so it is the last thing done to it.
// spec: KEY-1, KEY-2, KEY-3
pub(super) fn test(workspace: &Workspace, app: &App) -> Result<Count, Failure> {
    turn_on(app)?;
    build(app)?;
    let mut schema = program(app.binary("debug"));
    process::read(schema.current_dir(app.folder()).args(["auth:schema", "--diff"]))?;
    build(app)?;
    let assets = node::npm(&app.folder(), &["run", "build"])?;
    if !assets.success {
        return Err("the assets do not build; see above".into());
    }
    let chromium = provision::chromium().ok_or("chromium is gone")?;
    browser::test_with(workspace, "more-ways.test.mjs", |command| {
        command.env("HOUSEKEY_APP_FOLDER", app.folder()).env("CARGO_TARGET_DIR", app.target());
        command.env("CHROMIUM", &chromium);
    })
}

fn turn_on(app: &App) -> Result<(), String> {
    let file = app.path("config/auth.rs");
    edit(&file, "plugins: Plugins::from([", "plugins: more_ways().into_iter().chain([")?;
    edit(&file, "        ]),\n\n        engine:", "        ]).collect(),\n\n        engine:")?;
    let text =
        fs::read_to_string(&file).map_err(|error| format!("cannot read {}: {error}", file.display()))?;
    fs::write(&file, text + MORE_WAYS).map_err(|error| format!("cannot write {}: {error}", file.display()))
}

fn build(app: &App) -> Result<(), Failure> {
    let built = process::run(&mut app.cargo(&["build", "--quiet"]))?;
    if built.success {
        Ok(())
    } else {
        Err("the app does not build with every way in turned on; see above".into())
    }
}

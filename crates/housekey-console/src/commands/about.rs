use housekey_cache::Cache;
use housekey_core::{AppConfig, Result};
use housekey_http::{HttpConfig, session::SessionManager};
use serde_json::Value;

use crate::{Command, CommandContext};

/// `about`: the app at a glance.
pub(crate) struct About;

impl Command for About {
    fn name(&self) -> &'static str {
        "about"
    }

    fn about(&self) -> &'static str {
        "Show the app at a glance"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(--json "Print JSON"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let sections = sections(&context)?;
        let ui = context.ui();
        if context.flag("json") {
            let object = |facts: &Facts| Value::from_iter(facts.iter().cloned());
            let json = Value::from_iter(sections.iter().map(|(section, facts)| (*section, object(facts))));
            ui.line(format_args!("{json:#}"));
            return Ok(());
        }
        for (section, facts) in &sections {
            ui.heading(section);
            for (name, value) in facts {
                ui.pair(name, value, NAME_WIDTH);
            }
        }
        for warning in context.application()?.warnings() {
            ui.warn(warning);
        }
        Ok(())
    }
}

const NAME_WIDTH: usize = 14;

type Facts = Vec<(&'static str, String)>;

fn sections(context: &CommandContext) -> Result<[(&'static str, Facts); 3]> {
    let application = context.application()?;
    let (config, services) = (application.config(), application.services());
    let app = config.get::<AppConfig>();
    let http = config.get::<HttpConfig>();
    let cached = if context.paths().config_cache().is_file() { "cached" } else { "read live" };
    let driver = |name: Option<&'static str>| name.unwrap_or("none").to_owned();
    Ok([
        (
            "App",
            vec![
                ("Name", app.name.clone()),
                ("Environment", app.env.to_string()),
                ("Debug", if app.debug { "on" } else { "off" }.to_owned()),
                ("Address", app.url.clone()),
                ("Listens on", format!("{}:{}", http.host, http.port)),
                ("Routes", application.routes().iter().count().to_string()),
                ("Folder", context.paths().root().display().to_string()),
            ],
        ),
        (
            "Drivers",
            vec![
                ("Cache", driver(services.get::<Cache>().map(|cache| cache.store_name()))),
                ("Session", driver(services.get::<SessionManager>().map(|sessions| sessions.driver()))),
                ("Configuration", cached.to_owned()),
            ],
        ),
        ("Versions", vec![("Housekey", env!("CARGO_PKG_VERSION").to_owned())]),
    ])
}

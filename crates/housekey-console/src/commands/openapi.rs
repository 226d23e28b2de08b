use std::fs;

use housekey_core::{AppConfig, Error, Result};
use housekey_http::routing::SecuritySchemes;
use housekey_openapi::{Document, OpenApiConfig};

use crate::{Command, CommandContext, Problem};

/// `openapi`: prints the description of the API, or writes it to a file.
pub(crate) struct OpenApi;

impl Command for OpenApi {
    fn name(&self) -> &'static str {
        "openapi"
    }

    fn about(&self) -> &'static str {
        "Print the description of the API (OpenAPI 3.1)"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--output <FILE> "Write it to this file"))
            .arg(clap::arg!(--check "Write nothing, and fail if the file is out of date").requires("output"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let application = context.application()?;
        let (app, config) =
            (application.config().get::<AppConfig>(), application.config().get::<OpenApiConfig>());
        let schemes = context.services()?.get::<SecuritySchemes>().unwrap_or_default();
        let document = Document { app: &app, config: &config, schemes: &schemes };
        let document = document.of(application.routes())?;
        let text = format!("{}\n", serde_json::to_string_pretty(&document)?);
        let Some(file) = context.argument("output") else {
            context.ui().line(text.trim_end());
            return Ok(());
        };
        let path = context.paths().root().join(file);
        let there = fs::read_to_string(&path).ok().map(|there| there.replace("\r\n", "\n"));
        let is_current = there.as_deref() == Some(text.as_str());
        if context.flag("check") {
            if !is_current {
                let problem = Problem::new(format!("{file} is not what the routes say"));
                return Err(problem
                    .remedy(format!("Run `housekey openapi --output {file}` and commit it."))
                    .into());
            }
            context.ui().success(format_args!("{file} is up to date."));
            return Ok(());
        }
        if !is_current {
            fs::write(&path, text)
                .map_err(|error| Error::from(error).context(format!("writing {}", path.display())))?;
        }
        context
            .ui()
            .success(format_args!("{file} is {}.", if is_current { "up to date" } else { "written" }));
        Ok(())
    }
}

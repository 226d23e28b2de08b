use std::time::Duration;

use housekey_core::{AppConfig, Result, random};
use housekey_http::maintenance::{Downtime, Maintenance};

use crate::{Command, CommandContext, Problem};

/// `down`: answers every request with 503 until `up`.
pub(crate) struct Down;

impl Command for Down {
    fn name(&self) -> &'static str {
        "down"
    }

    fn about(&self) -> &'static str {
        "Take the app down for maintenance"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let retry = clap::arg!(--retry <SECONDS> "When visitors should come back").default_value("60");
        let secret = clap::arg!(--secret [WORD] "Lets somebody in by ?maintenance=<WORD>; without a word, one is made up");
        let except = clap::arg!(--except <PATHS> "Addresses that answer as always: /up,/webhooks/*");
        command
            .arg(retry.value_parser(clap::value_parser!(u64).range(1..)))
            .arg(secret.num_args(0..=1).require_equals(true).default_missing_value(""))
            .arg(except.value_delimiter(','))
            .arg(clap::arg!(--message <TEXT> "The sentence on the page"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let seconds = context.args().get_one::<u64>("retry").copied().unwrap_or(60);
        let mut downtime = Downtime::new().retry_after(Duration::from_secs(seconds));
        if let Some(paths) = context.args().get_many::<String>("except") {
            downtime = downtime.except(paths.map(|path| path.trim()).filter(|path| !path.is_empty()));
        }
        if let Some(message) = context.argument("message") {
            downtime = downtime.message(message);
        }
        let secret = context.argument("secret").map(|word| match word {
            "" => random::url_safe(24),
            word => word.to_owned(),
        });
        if let Some(secret) = &secret {
            downtime = downtime.secret(secret.as_str());
        }
        let services = context.services()?;
        let down = services.require::<Maintenance>()?.down(downtime).await;
        down.map_err(|error| match error.status().is_client_error() {
            true => Problem::new(error.message().to_owned()).into(),
            false => error,
        })?;

        let ui = context.ui();
        ui.success(format_args!("The app is down. Visitors are asked to come back in {seconds} seconds."));
        if let Some(secret) = secret {
            let base = services.require::<AppConfig>()?.url.trim_end_matches('/').to_owned();
            ui.note(format_args!("You get in by {base}/?maintenance={secret}"));
        }
        ui.note("`up` brings it back.");
        Ok(())
    }
}

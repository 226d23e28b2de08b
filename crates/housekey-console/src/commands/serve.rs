use std::net::SocketAddr;

use housekey_core::{AppConfig, Env, Result};
#[cfg(feature = "auth")]
use housekey_http::Application;
use housekey_http::{HttpConfig, Server};

use super::{dev_pipe, types};
use crate::{Command, CommandContext, Problem, Ui};

/// `serve`: answers requests until the process is told to stop.
pub(crate) struct Serve;

impl Command for Serve {
    fn name(&self) -> &'static str {
        "serve"
    }

    fn about(&self) -> &'static str {
        "Serve the app"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let port = clap::arg!(--port <PORT> "The port to listen on, 0 for any free one [default: PORT, or config/http.rs]");
        command
            .arg(clap::arg!(--host <HOST> "The address to listen on [default: HOST, or config/http.rs]"))
            .arg(port.value_parser(clap::value_parser!(u16)))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let application = context.application()?;
        let config = application.config().get::<HttpConfig>();
        let env = context.env()?;
        let host = context.argument("host").map(str::to_owned).or_else(|| variable(&env, "HOST"));
        let port = match context.args().get_one::<u16>("port") {
            Some(port) => *port,
            None => port_of(&env)?.unwrap_or(config.port),
        };
        // Behind `housekey dev` the port is a private one, and the address people use has been said already.
        let is_behind_dev = variable(&env, "HOUSEKEY_DEV_URL").is_some();
        if is_behind_dev {
            types::keep_current(&context);
        }
        let server = Server::bind_to(application, host.as_deref().unwrap_or(&config.host), port).await?;

        let ui = context.ui();
        application.warnings().iter().for_each(|warning| say(ui, warning));
        #[cfg(feature = "auth")]
        tell_about_missing_tables(application, ui);
        if !is_behind_dev {
            let app = application.config().get::<AppConfig>();
            ui.success(format_args!(
                "{} ({}) is ready on {}",
                app.name,
                app.env,
                reachable(server.local_addr())
            ));
            ui.note("Ctrl+C stops it.");
        }
        #[cfg(feature = "schedule")]
        let schedule = super::schedule::BesideServing::start(application, ui)?;
        #[cfg(feature = "events")]
        let relay = housekey_events::Relay::start(application.services());
        let served = tokio::select! {
            result = server.run() => result,
            () = dev_pipe::end(&env) => return Ok(()),
        };
        #[cfg(feature = "events")]
        if let Some(relay) = relay {
            relay.stop().await;
        }
        #[cfg(feature = "schedule")]
        if let Some(schedule) = schedule {
            schedule.end(served.is_ok()).await?;
        }
        served
    }
}

/// Once: as a line of the log, where whoever collects it finds it, or plainly when the log leaves warnings out.
fn say(ui: Ui, warning: &str) {
    if tracing::enabled!(target: "housekey::boot", tracing::Level::WARN) {
        tracing::warn!(target: "housekey::boot", "{warning}");
    } else {
        ui.warn(warning);
    }
}

/// Beside serving: a database that is slow or away keeps nobody waiting.
#[cfg(feature = "auth")]
fn tell_about_missing_tables(application: &Application, ui: Ui) {
    let services = application.services().clone();
    tokio::spawn(async move {
        if let Some(missing) = super::auth::missing_tables(&services).await {
            say(ui, &missing);
        }
    });
}

/// Read here as well as in `config/http.rs`, whose answer may have been frozen: a platform that says where to
/// listen says it to the running process.
fn variable(env: &Env, key: &str) -> Option<String> {
    env.get(key).map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

fn port_of(env: &Env) -> Result<Option<u16>, Problem> {
    let Some(text) = variable(env, "PORT") else { return Ok(None) };
    let port = text.parse().map_err(|_| Problem::new("PORT must be a port number, 0 to 65535"))?;
    Ok(Some(port))
}

/// An address a browser can open: "every address of this machine" is none.
fn reachable(address: SocketAddr) -> String {
    if address.ip().is_unspecified() {
        return format!("http://localhost:{} and every address of this machine", address.port());
    }
    format!("http://{address}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_printed_address_can_be_opened() {
        assert_eq!(reachable("127.0.0.1:3000".parse().unwrap()), "http://127.0.0.1:3000");
        assert_eq!(reachable("[::1]:80".parse().unwrap()), "http://[::1]:80");
        assert!(reachable("0.0.0.0:3000".parse().unwrap()).starts_with("http://localhost:3000 "));
        assert!(reachable("[::]:3000".parse().unwrap()).starts_with("http://localhost:3000 "));
    }

    #[test]
    fn a_port_that_is_none_is_an_error_and_an_empty_one_is_unset() {
        let port = |text: &str| port_of(&Env::empty().with("PORT", text));
        assert_eq!(port(" 8080 ").unwrap(), Some(8080));
        assert_eq!(port("").unwrap(), None);
        assert!(port("70000").is_err() && port("http").is_err());
    }
}

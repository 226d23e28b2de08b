use std::{ffi::OsString, path::Path, process::ExitCode, sync::Arc, time::Duration};

use clap::error::ErrorKind;
use housekey_core::{Error, Paths, Result};
use housekey_http::{App, HttpConfig, logging};

use crate::{
    CommandContext, Ui, app_commands::OwnCommands, command::AnyCommand, commands, context::Subject,
    registry::Registry, suggest::suggest,
};

/// Runs the console of an app with the arguments of this process.
///
/// Exit codes: 0 when the command did its work, 1 when it failed, 2 when it could not be understood.
///
/// ```no_run
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
///
/// fn main() -> std::process::ExitCode {
///     housekey_console::run(App::new(ConfigFiles::default()))
/// }
/// ```
pub fn run(app: App) -> ExitCode {
    run_with(app, std::env::args_os())
}

/// Like [`run`], with the arguments given; the first is the name of the program.
pub fn run_with(mut app: App, args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let ui = Ui::detect();
    let args: Vec<OsString> = args.into_iter().collect();
    let binary = binary_name(args.first());
    let own: OwnCommands = app.before_boot_mut().remove().unwrap_or_default();

    let registry = match Registry::new(own.0) {
        Ok(registry) => registry,
        Err(problem) => return failed(ui, &problem.into()),
    };
    let matches = match registry.parser(&binary, ui).try_get_matches_from(args) {
        Ok(matches) => matches,
        Err(error) => return not_understood(ui, &binary, &registry, &error),
    };
    let (name, args) = matches
        .subcommand()
        .map_or_else(|| ("list", clap::ArgMatches::default()), |(name, args)| (name, args.clone()));
    // The parser lets only known names through, and `list` is always there.
    let Some(command) = registry.find(name).cloned() else { return ExitCode::from(USAGE) };

    let context = |subject, paths| CommandContext {
        args,
        ui,
        binary: binary.as_str().into(),
        catalogue: registry.catalogue(),
        paths,
        subject,
    };
    match execute(app, &command, context) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failed(ui, &error),
    }
}

const USAGE: u8 = 2;

fn execute(
    app: App,
    command: &Arc<dyn AnyCommand>,
    context: impl FnOnce(Subject, Paths) -> CommandContext,
) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    let paths = app.paths();
    runtime.block_on(async {
        if !command.needs_app() {
            return command.run(context(Subject::App(Box::new(app)), paths)).await;
        }
        let application = app.boot().map_err(|error| error.context("the app does not boot"))?;
        logging::init(&application.config().get())?;
        let (background, scope) = (application.background(), application.scope());
        let grace = Duration::from_secs(application.config().get::<HttpConfig>().shutdown_grace);
        let done = scope.enter(command.run(context(Subject::Application(application), paths))).await;
        // What a command or a job began: a mail, for instance. After a server, which waits itself, nothing is left.
        background.finish(grace).await;
        done
    })
}

fn binary_name(first: Option<&OsString>) -> String {
    let stem = first.and_then(|path| Path::new(path).file_stem());
    stem.map_or_else(|| "app".to_owned(), |stem| stem.to_string_lossy().into_owned())
}

fn not_understood(ui: Ui, binary: &str, registry: &Registry, error: &clap::Error) -> ExitCode {
    let unknown = match error.kind() {
        ErrorKind::InvalidSubcommand => error.get(clap::error::ContextKind::InvalidSubcommand),
        _ => None,
    };
    let Some(clap::error::ContextValue::String(typed)) = unknown else {
        let _ = error.print();
        return ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(USAGE));
    };
    if let Some(missing) = commands::missing_feature::find(typed) {
        let feature = missing.feature;
        ui.error(format_args!("`{typed}` needs the feature `{feature}`, which this app is built without"));
        ui.explain(format_args!("Add \"{feature}\" to the features of `housekey` in Cargo.toml."));
        ui.explain(missing.remark);
        return ExitCode::from(USAGE);
    }
    ui.error(format_args!("there is no command `{typed}`"));
    match suggest(typed, registry.names()).as_slice() {
        [] => ui.explain(format_args!("`{binary} list` shows all commands.")),
        [near] => ui.explain(format_args!("Did you mean `{near}`?")),
        several => {
            ui.explain("Did you mean one of these?");
            several.iter().for_each(|near| ui.explain(format_args!("  {near}")));
        }
    }
    ExitCode::from(USAGE)
}

/// Says what happened, then why, then what to do: one thought per line.
fn failed(ui: Ui, error: &Error) -> ExitCode {
    let mut thoughts = error.source_chain();
    if thoughts.is_empty() || !error.status().is_server_error() {
        thoughts.insert(0, error.message().to_owned());
    }
    let text = thoughts.join("\n");
    let mut lines = text.lines();
    ui.error(lines.next().unwrap_or_default());
    lines.for_each(|line| ui.explain(line));
    ExitCode::FAILURE
}

use std::{future::Future, pin::Pin};

use housekey_core::Result;

use crate::CommandContext;

/// A command of the console. An app's own ones are added with [`AppCommands::command`](crate::AppCommands::command).
///
/// A command runs after the app has booted, inside a scope with its services: the cache, the configuration and
/// every other ambient helper answer as they do in a handler, except those that belong to a request.
///
/// ```
/// use housekey_console::{Command, CommandContext, clap};
/// use housekey_core::Result;
///
/// struct Greet;
///
/// impl Command for Greet {
///     fn name(&self) -> &'static str {
///         "team:greet"
///     }
///
///     fn about(&self) -> &'static str {
///         "Say hello to somebody"
///     }
///
///     fn args(&self, command: clap::Command) -> clap::Command {
///         command.arg(clap::arg!(<who> "Whom to greet"))
///     }
///
///     async fn run(&self, context: CommandContext) -> Result<()> {
///         let who = context.argument("who").unwrap_or("world");
///         context.ui().success(format_args!("Hello {who}!"));
///         Ok(())
///     }
/// }
/// ```
pub trait Command: Send + Sync + 'static {
    /// What is typed: `serve`, `config:cache`. The part before the colon groups it in the list.
    fn name(&self) -> &'static str;

    /// One line for the list of commands.
    fn about(&self) -> &'static str;

    /// Adds arguments and options.
    fn args(&self, command: clap::Command) -> clap::Command {
        command
    }

    /// Whether the app must boot first. A command that repairs what keeps the app from booting says no.
    fn needs_app(&self) -> bool {
        true
    }

    /// Does the work. An error is printed with its cause, and the process ends with 1.
    fn run(&self, context: CommandContext) -> impl Future<Output = Result<()>>;
}

/// [`Command`] with its future boxed, so that different commands fit one list.
pub(crate) trait AnyCommand: Send + Sync {
    fn name(&self) -> &'static str;
    fn about(&self) -> &'static str;
    fn args(&self, command: clap::Command) -> clap::Command;
    fn needs_app(&self) -> bool;
    fn run<'a>(&'a self, context: CommandContext) -> Pin<Box<dyn Future<Output = Result<()>> + 'a>>;
}

impl<T: Command> AnyCommand for T {
    fn name(&self) -> &'static str {
        Command::name(self)
    }

    fn about(&self) -> &'static str {
        Command::about(self)
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        Command::args(self, command)
    }

    fn needs_app(&self) -> bool {
        Command::needs_app(self)
    }

    fn run<'a>(&'a self, context: CommandContext) -> Pin<Box<dyn Future<Output = Result<()>> + 'a>> {
        Box::pin(Command::run(self, context))
    }
}

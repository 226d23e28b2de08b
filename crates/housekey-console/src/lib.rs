//! The console inside every Housekey app: `serve`, `route:list`, `config:cache`, `make:*` and the app's own commands.
//!
//! - [`run`] is an app's `main`: it reads the command line, boots the app if the command needs it, runs the command
//!   inside a scope with the app's services, and turns what happened into an exit code.
//! - [`Command`] is what a command is; [`AppCommands`] adds an app's own to its [`App`](housekey_http::App).
//! - [`CommandContext`] is what a command works with, [`Ui`] is how it speaks, [`Problem`] is how it fails politely.
//! - [`confirm_in_production`] stands before whatever cannot be undone.
//!
//! A command that repairs an app (`key:generate`, `config:clear`, `make:*`) does not boot it, so it also works when
//! booting is what fails.

mod app_commands;
#[cfg(feature = "database")]
mod app_database;
mod command;
mod commands;
mod confirm;
mod context;
mod env_file;
mod help;
mod problem;
mod registry;
mod run;
mod suggest;
mod ui;

pub use app_commands::AppCommands;
#[cfg(feature = "database")]
pub use app_database::AppDatabase;
pub use command::Command;
pub use confirm::{confirm_in_production, force_flag};
pub use context::CommandContext;
pub use problem::Problem;
pub use run::{run, run_with};
pub use ui::{Paint, Ui};

/// The parser of command lines, for [`Command::args`].
pub use clap;

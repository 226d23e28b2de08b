use std::sync::Arc;

use housekey_http::App;

use crate::{Command, command::AnyCommand};

/// Adds an app's own commands to its console.
///
/// ```
/// # use housekey_console::{AppCommands, Command, CommandContext};
/// # struct Greet;
/// # impl Command for Greet {
/// #     fn name(&self) -> &'static str { "team:greet" }
/// #     fn about(&self) -> &'static str { "Say hello" }
/// #     async fn run(&self, _: CommandContext) -> housekey_core::Result<()> { Ok(()) }
/// # }
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
///
/// let app = App::new(ConfigFiles::default()).command(Greet);
/// ```
pub trait AppCommands {
    /// Adds a command. One with the name of a built-in command takes its place.
    #[must_use]
    fn command(self, command: impl Command) -> Self;
}

impl AppCommands for App {
    fn command(mut self, command: impl Command) -> Self {
        let own: &mut OwnCommands = self.before_boot_mut().get_or_insert_default();
        own.0.push(Arc::new(command));
        self
    }
}

/// Where an [`App`] carries its commands until the console takes them: the console lists them even when the app does not boot.
#[derive(Clone, Default)]
pub(crate) struct OwnCommands(pub(crate) Vec<Arc<dyn AnyCommand>>);

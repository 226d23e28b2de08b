use housekey_core::Result;

use crate::{Command, CommandContext, help};

/// `list`: what this console can do. Also what a bare call shows.
pub(crate) struct List;

impl Command for List {
    fn name(&self) -> &'static str {
        "list"
    }

    fn about(&self) -> &'static str {
        "List all commands"
    }

    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let text = help::overview(&context.binary, &context.catalogue, context.ui().paint());
        context.ui().line(text.trim_end());
        Ok(())
    }
}

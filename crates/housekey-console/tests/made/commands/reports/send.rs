use housekey::console::clap;
use housekey::prelude::*;

/// `housekey reports:send`
pub struct Send;

impl Command for Send {
    fn name(&self) -> &'static str {
        "reports:send"
    }

    fn about(&self) -> &'static str {
        "Send"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(--"dry-run" "Only say what would be done"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        if context.flag("dry-run") {
            context.ui().note("Nothing was changed.");
            return Ok(());
        }
        context.ui().success("Done.");
        Ok(())
    }
}

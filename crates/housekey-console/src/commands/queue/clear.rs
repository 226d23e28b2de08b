use housekey_core::Result;

use crate::{Command, CommandContext, confirm_in_production, force_flag};

/// `queue:clear`: removes the jobs of a queue that nobody is working on.
pub(crate) struct QueueClear;

impl Command for QueueClear {
    fn name(&self) -> &'static str {
        "queue:clear"
    }

    fn about(&self) -> &'static str {
        "Remove the waiting jobs of a queue"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!([queue] "The queue [default: config/queue.rs]")).arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let queue = super::queue(&context)?;
        let name = context.argument("queue").unwrap_or_else(|| queue.default_queue());
        confirm_in_production(&context, &format!("This removes every job that waits in `{name}`."))?;
        let count = queue.driver().clear(name).await?;
        context.ui().success(format_args!("{} removed from {name}.", super::jobs(count)));
        Ok(())
    }
}

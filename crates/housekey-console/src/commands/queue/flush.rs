use housekey_core::Result;

use crate::{Command, CommandContext, confirm_in_production, force_flag};

/// `queue:flush`: removes failed jobs for good.
pub(crate) struct QueueFlush;

impl Command for QueueFlush {
    fn name(&self) -> &'static str {
        "queue:flush"
    }

    fn about(&self) -> &'static str {
        "Remove failed jobs for good"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!([id] ... "The jobs, as `queue:failed` names them; all if none is named"))
            .arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let queue = super::queue(&context)?;
        confirm_in_production(&context, "This removes failed jobs for good.")?;
        let count = queue.forget(&super::which(&context)).await?;
        context.ui().success(format_args!("{} removed.", super::jobs(count)));
        Ok(())
    }
}

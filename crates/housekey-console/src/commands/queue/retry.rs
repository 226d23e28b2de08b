use housekey_core::Result;
use housekey_queue::FailedJobFilter;

use crate::{Command, CommandContext, Problem};

/// `queue:retry`: puts failed jobs back into their queues.
pub(crate) struct QueueRetry;

impl Command for QueueRetry {
    fn name(&self) -> &'static str {
        "queue:retry"
    }

    fn about(&self) -> &'static str {
        "Put failed jobs back into their queues"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!([id] ... "The jobs, as `queue:failed` names them"))
            .arg(clap::arg!(--all "Every failed job").conflicts_with("id"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let queue = super::queue(&context)?;
        let which = super::which(&context);
        if which == FailedJobFilter::All && !context.flag("all") {
            return Err(Problem::new("which job?")
                .remedy("Name it as `queue:failed` does, or pass --all for every one.")
                .into());
        }
        let count = queue.retry(&which).await?;
        if let FailedJobFilter::These(ids) = &which
            && count < ids.len() as u64
        {
            context.ui().warn(format_args!(
                "{} of them did not fail, or not any more, or one like it waits",
                ids.len() as u64 - count
            ));
        }
        context.ui().success(format_args!("{} put back.", super::jobs(count)));
        Ok(())
    }
}

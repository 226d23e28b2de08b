use housekey_core::Result;

use super::super::dev_pipe;
use crate::{Command, CommandContext};

/// `schedule:work`: starts tasks at their time until the process is told to stop.
pub(crate) struct ScheduleWork;

impl Command for ScheduleWork {
    fn name(&self) -> &'static str {
        "schedule:work"
    }

    fn about(&self) -> &'static str {
        "Run scheduled tasks when their time comes"
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let scheduler = super::scheduler(&context)?;
        // A store that does not answer is said at once and not at seven in the morning.
        scheduler.status().await?;
        let ui = context.ui();
        ui.success(format_args!("Running the schedule ({}).", super::tasks(scheduler.len() as u64)));
        ui.note("Ctrl+C lets running tasks finish and stops; twice, it stops at once.");
        let env = context.env()?;
        let report = tokio::select! {
            report = scheduler.run() => report?,
            () = dev_pipe::end(&env) => return Ok(()),
        };
        super::tell(ui, report);
        Ok(())
    }
}

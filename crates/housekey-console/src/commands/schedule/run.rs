use housekey_core::Result;

use crate::{Command, CommandContext, Problem};

/// `schedule:run`: runs what is due now and ends, for a machine whose own cron calls it every minute.
pub(crate) struct ScheduleRun;

impl Command for ScheduleRun {
    fn name(&self) -> &'static str {
        "schedule:run"
    }

    fn about(&self) -> &'static str {
        "Run the scheduled tasks that are due now, or one by its name"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!([task] "Run this task, whatever its time is"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let scheduler = super::scheduler(&context)?;
        let ui = context.ui();
        if let Some(task) = context.argument("task") {
            scheduler.run_task(task).await?;
            ui.success(format_args!("{task} is done."));
            return Ok(());
        }
        let report = scheduler.run_due().await?;
        super::tell(ui, report);
        if report.failed > 0 {
            return Err(Problem::new("a task failed").remedy("The log says why.").into());
        }
        Ok(())
    }
}

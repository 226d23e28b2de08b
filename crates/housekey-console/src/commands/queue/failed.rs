use housekey_core::Result;

use crate::{Command, CommandContext};

/// `queue:failed`: shows the jobs that were given up. Never what they carry.
pub(crate) struct QueueFailed;

impl Command for QueueFailed {
    fn name(&self) -> &'static str {
        "queue:failed"
    }

    fn about(&self) -> &'static str {
        "Show the jobs that failed for good"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let limit = clap::arg!(--limit <JOBS> "How many of the newest").default_value("50");
        command.arg(limit.value_parser(clap::value_parser!(u64).range(1..)))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let queue = super::queue(&context)?;
        let limit = context.args().get_one::<u64>("limit").copied().unwrap_or(50);
        let failed = queue.driver().failed(limit).await?;
        let ui = context.ui();
        if failed.is_empty() {
            ui.success("No job has failed.");
            return Ok(());
        }
        let rows: Vec<Vec<String>> = failed
            .iter()
            .map(|job| {
                let at = job.failed_at;
                let when = format!("{} {:02}:{:02}:{:02}", at.date(), at.hour(), at.minute(), at.second());
                let why = job.error.lines().next().unwrap_or_default().to_owned();
                vec![
                    job.id.to_string(),
                    when,
                    job.queue.clone(),
                    job.name.clone(),
                    job.attempts.to_string(),
                    why,
                ]
            })
            .collect();
        ui.table(&["Id", "Failed at (UTC)", "Queue", "Job", "Tries", "Why"], &rows);
        ui.note("`queue:retry <id>` tries one again, `queue:retry --all` every one.");
        Ok(())
    }
}

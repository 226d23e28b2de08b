use housekey_core::Result;
use housekey_schedule::{Scheduler, TaskStatus};

use crate::{Command, CommandContext};

/// `schedule:list`: every task, when it runs next and how it went last.
pub(crate) struct ScheduleList;

impl Command for ScheduleList {
    fn name(&self) -> &'static str {
        "schedule:list"
    }

    fn about(&self) -> &'static str {
        "List scheduled tasks and when they run next"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(--json "Print JSON"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let ui = context.ui();
        let services = context.services()?;
        let tasks = if Scheduler::is_needed(services) {
            Scheduler::new(services)?.status().await?
        } else {
            Vec::new()
        };
        if context.flag("json") {
            ui.line(serde_json::to_string_pretty(&tasks)?);
            return Ok(());
        }
        if tasks.is_empty() {
            ui.line("Nothing is scheduled.");
            return Ok(());
        }
        let rows: Vec<Vec<String>> = tasks.iter().map(row).collect();
        ui.table(&["Task", "When", "Time zone", "Next", "Last", "Outcome", "Options"], &rows);
        Ok(())
    }
}

fn row(task: &TaskStatus) -> Vec<String> {
    let options = [
        (task.kind == "job", "job"),
        (task.without_overlapping, "without overlapping"),
        (task.catch_up, "catch up"),
    ];
    let options: Vec<&str> =
        options.into_iter().filter(|(is_set, _)| *is_set).map(|(_, word)| word).collect();
    vec![
        task.name.clone(),
        task.when.clone(),
        task.timezone.clone(),
        task.next.clone().unwrap_or_else(|| "never".to_owned()),
        task.last.clone().unwrap_or_else(|| "-".to_owned()),
        task.outcome.clone().unwrap_or_else(|| "-".to_owned()),
        options.join(", "),
    ]
}

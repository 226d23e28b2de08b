use housekey_core::Result;
use housekey_database::MigrationState;

use crate::{Command, CommandContext};

/// `migrate:status`: where each migration stands.
pub(crate) struct MigrateStatus;

impl Command for MigrateStatus {
    fn name(&self) -> &'static str {
        "migrate:status"
    }

    fn about(&self) -> &'static str {
        "Show which migrations have run"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(super::database_option())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let all = super::migrator(&context)?.status().await?;
        let ui = context.ui();
        if all.is_empty() {
            ui.note("The app has no migrations: make one with make:migration.");
            return Ok(());
        }
        let rows: Vec<Vec<String>> = all.into_iter().map(|one| vec![one.name, words(&one.state)]).collect();
        ui.table(&["Migration", "State"], &rows);
        Ok(())
    }
}

fn words(state: &MigrationState) -> String {
    match state {
        MigrationState::Pending => "pending".into(),
        MigrationState::Ran { batch } => format!("ran (batch {batch})"),
        MigrationState::Missing { batch } => format!("ran (batch {batch}), but its file is gone"),
        MigrationState::Unfinished { rolling_back: false, statements } => {
            format!("stopped after {statements} statements; `migrate` goes on from there")
        }
        MigrationState::Unfinished { rolling_back: true, statements } => {
            format!(
                "stopped on its way back after {statements} statements; `migrate:rollback` goes on from there"
            )
        }
    }
}

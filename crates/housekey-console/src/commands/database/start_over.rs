use housekey_core::Result;

use crate::{Command, CommandContext, confirm_in_production, force_flag};

/// `migrate:refresh`: everything back, and forward again.
pub(crate) struct MigrateRefresh;

impl Command for MigrateRefresh {
    fn name(&self) -> &'static str {
        "migrate:refresh"
    }

    fn about(&self) -> &'static str {
        "Take back every migration and run it again"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(super::seed_flag()).arg(super::database_option()).arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        confirm_in_production(&context, "This empties every table that a migration made.")?;
        super::migrator(&context)?.refresh().await?;
        super::finish(&context).await
    }
}

/// `migrate:fresh`: an empty database, and everything forward.
pub(crate) struct MigrateFresh;

impl Command for MigrateFresh {
    fn name(&self) -> &'static str {
        "migrate:fresh"
    }

    fn about(&self) -> &'static str {
        "Drop every table and run every migration"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(super::seed_flag()).arg(super::database_option()).arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        confirm_in_production(&context, "This drops every table of the database, whoever made it.")?;
        super::migrator(&context)?.fresh().await?;
        super::finish(&context).await
    }
}

use housekey_core::Result;

use crate::{Command, CommandContext, confirm_in_production, force_flag};

/// `db:wipe`: drops every table.
pub(crate) struct DbWipe;

impl Command for DbWipe {
    fn name(&self) -> &'static str {
        "db:wipe"
    }

    fn about(&self) -> &'static str {
        "Drop every table"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(super::database_option()).arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        confirm_in_production(&context, "This drops every table of the database, whoever made it.")?;
        let dropped = super::database(&context)?.wipe().await?;
        match dropped.len() {
            0 => context.ui().success("There was no table."),
            count => context.ui().success(format_args!("{count} tables dropped: {}", dropped.join(", "))),
        }
        Ok(())
    }
}

use housekey_core::Result;

use crate::{Command, CommandContext, confirm_in_production, force_flag};

/// `migrate`: runs what has not run.
pub(crate) struct Migrate;

impl Command for Migrate {
    fn name(&self) -> &'static str {
        "migrate"
    }

    fn about(&self) -> &'static str {
        "Run the migrations that have not run"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--pretend "Print the SQL and change nothing"))
            .arg(super::seed_flag())
            .arg(super::database_option())
            .arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let migrator = super::migrator(&context)?;
        let ui = context.ui();
        if context.flag("pretend") {
            let planned = migrator.pretend().await?;
            if planned.is_empty() {
                ui.success("Nothing to migrate.");
            }
            for one in planned {
                ui.line(format_args!("-- {}", one.name));
                for statement in one.statements {
                    ui.line(format_args!("{statement};"));
                }
            }
            return Ok(());
        }
        confirm_in_production(&context, "This changes the schema of its database.")?;
        if migrator.run().await?.is_empty() {
            ui.success("Nothing to migrate.");
        }
        super::finish(&context).await
    }
}

/// `migrate:install`: makes the table that remembers what has run.
pub(crate) struct MigrateInstall;

impl Command for MigrateInstall {
    fn name(&self) -> &'static str {
        "migrate:install"
    }

    fn about(&self) -> &'static str {
        "Make the table that remembers which migrations have run"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(super::database_option())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let made = super::migrator(&context)?.install().await?;
        context.ui().success(if made {
            "The migrations table was made."
        } else {
            "The migrations table is there."
        });
        Ok(())
    }
}

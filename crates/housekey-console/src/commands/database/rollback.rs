use housekey_core::Result;

use crate::{Command, CommandContext, confirm_in_production, force_flag};

/// `migrate:rollback`: takes the last batch back, or so many migrations.
pub(crate) struct MigrateRollback;

impl Command for MigrateRollback {
    fn name(&self) -> &'static str {
        "migrate:rollback"
    }

    fn about(&self) -> &'static str {
        "Take back the migrations that ran last"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let step = clap::arg!(--step <COUNT> "How many migrations, instead of the last batch");
        command
            .arg(step.value_parser(clap::value_parser!(u32).range(1..)))
            .arg(super::database_option())
            .arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        confirm_in_production(
            &context,
            "This takes migrations back, and the rows of tables that go with them.",
        )?;
        let steps = context.args().get_one::<u32>("step").map(|steps| *steps as usize);
        if super::migrator(&context)?.rollback(steps).await?.is_empty() {
            context.ui().success("Nothing to take back.");
        }
        Ok(())
    }
}

/// `migrate:reset`: takes everything back.
pub(crate) struct MigrateReset;

impl Command for MigrateReset {
    fn name(&self) -> &'static str {
        "migrate:reset"
    }

    fn about(&self) -> &'static str {
        "Take back every migration"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(super::database_option()).arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        confirm_in_production(&context, "This takes every migration back, and every row with them.")?;
        if super::migrator(&context)?.reset().await?.is_empty() {
            context.ui().success("Nothing to take back.");
        }
        Ok(())
    }
}

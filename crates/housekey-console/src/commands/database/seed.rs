use housekey_core::Result;

use crate::{Command, CommandContext, confirm_in_production, force_flag};

/// `db:seed`: fills the tables with rows to begin with.
pub(crate) struct DbSeed;

impl Command for DbSeed {
    fn name(&self) -> &'static str {
        "db:seed"
    }

    fn about(&self) -> &'static str {
        "Fill the tables with rows to begin with"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--class <NAME> "One seeder instead of all"))
            .arg(super::database_option())
            .arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        confirm_in_production(&context, "This adds rows to its database.")?;
        super::seed(&context, context.argument("class")).await
    }
}

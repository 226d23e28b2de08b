use housekey_core::Result;

use crate::{Command, CommandContext};

/// `db:show`: where a database is, and what is in it.
pub(crate) struct DbShow;

impl Command for DbShow {
    fn name(&self) -> &'static str {
        "db:show"
    }

    fn about(&self) -> &'static str {
        "Show a database and its tables"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        let counts = clap::arg!(--counts "Count the rows, which takes time on large tables");
        command.arg(counts).arg(super::database_option())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let db = super::database(&context)?;
        let version = db.version().await?;
        let ui = context.ui();
        ui.pair("Connection", db.name(), 10);
        ui.pair("Engine", format_args!("{} {version}", db.driver()), 10);
        ui.pair("Place", db.place(), 10);
        let counted = context.flag("counts");
        let mut rows = Vec::new();
        for table in db.introspect().await? {
            let mut row =
                vec![table.name.clone(), table.columns.len().to_string(), table.indexes.len().to_string()];
            if counted {
                row.push(db.table(&table.name).count().await?.to_string());
            }
            rows.push(row);
        }
        ui.line("");
        if rows.is_empty() {
            ui.note("No tables yet: run migrate.");
            return Ok(());
        }
        let head = ["Table", "Columns", "Indexes", "Rows"];
        ui.table(&head[..if counted { 4 } else { 3 }], &rows);
        Ok(())
    }
}

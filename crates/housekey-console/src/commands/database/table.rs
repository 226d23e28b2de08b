use housekey_core::Result;
use housekey_database::{Action, TableInfo};

use crate::{Command, CommandContext, Problem, Ui};

/// `db:table`: one table as it really is.
pub(crate) struct DbTable;

impl Command for DbTable {
    fn name(&self) -> &'static str {
        "db:table"
    }

    fn about(&self) -> &'static str {
        "Show the columns, indexes and references of a table"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(<table> "The table")).arg(super::database_option())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let db = super::database(&context)?;
        let name = context.argument("table").unwrap_or_default();
        match db.table_info(name).await? {
            Some(table) => {
                print(context.ui(), &table);
                Ok(())
            }
            None => {
                let tables = db.tables().await?.join(", ");
                let remedy = if tables.is_empty() {
                    "It has none: run migrate.".into()
                } else {
                    format!("It has {tables}.")
                };
                Err(Problem::new(format!("{} has no table `{name}`", db.place())).remedy(remedy).into())
            }
        }
    }
}

fn print(ui: Ui, table: &TableInfo) {
    let columns: Vec<Vec<String>> = table
        .columns
        .iter()
        .map(|column| {
            let key = if table.primary_key.contains(&column.name) { "key" } else { "" };
            let null = if column.nullable { "may be empty" } else { "" };
            let default = column.default.clone().unwrap_or_default();
            vec![column.name.clone(), column.type_name.clone(), null.into(), default, key.into()]
        })
        .collect();
    ui.table(&["Column", "Type", "Null", "Default", "Key"], &columns);
    if !table.indexes.is_empty() {
        ui.line("");
        let indexes: Vec<Vec<String>> = table
            .indexes
            .iter()
            .map(|index| {
                let unique = if index.unique { "unique" } else { "" };
                vec![index.name.clone(), index.columns.join(", "), unique.into()]
            })
            .collect();
        ui.table(&["Index", "Columns", "Kind"], &indexes);
    }
    if !table.foreign_keys.is_empty() {
        ui.line("");
        let keys: Vec<Vec<String>> = table
            .foreign_keys
            .iter()
            .map(|key| {
                let target = format!("{} ({})", key.table, key.references.join(", "));
                vec![key.columns.join(", "), target, words(key.on_delete).into()]
            })
            .collect();
        ui.table(&["Columns", "Refer to", "When that is deleted"], &keys);
    }
}

fn words(action: Action) -> &'static str {
    match action {
        Action::Cascade => "the row goes too",
        Action::SetNull => "becomes empty",
        Action::SetDefault => "takes its default",
        Action::NoAction | Action::Restrict => "refused",
    }
}

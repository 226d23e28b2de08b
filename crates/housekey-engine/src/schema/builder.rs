use super::additional::additional_column;
use super::index::Purpose;
use super::{Column, ColumnKind, Index, Schema, SchemaError, Table, core_tables};
use crate::options::{EngineOptions, ModelNames, RateLimitStorage, TableNames};

/// Characters of a text that an index of one column, or a unique rule, names.
const SINGLE_BOUND: u16 = 255;
/// Characters of a text in an index of several columns, unless there are so many that the key would not fit.
const COMPOUND_BOUND: u16 = 191;
/// Bytes of an index key that every database takes, at four bytes for a character.
const KEY_BYTES: usize = 3072;

/// What a plugin adds to the schema: columns on any table, tables of its own, indexes of several columns on any.
///
/// ```
/// use housekey_engine::schema::{Column, SchemaContribution, Table};
///
/// let contribution = SchemaContribution::new()
///     .column("user", Column::text("nickname").nullable())
///     .table(Table::new("invite").column_with(Column::text("code")).column_with(Column::reference("userId", "user")))
///     .unique_index("invite", ["userId", "code"]);
/// # let _ = contribution;
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SchemaContribution {
    columns: Vec<(String, Column)>,
    tables: Vec<Table>,
    indexes: Vec<(String, Vec<String>, Purpose)>,
    names: ModelNames,
}

impl SchemaContribution {
    pub fn new() -> Self {
        Self::default()
    }

    /// A column on a table, which may be anyone's.
    #[must_use]
    pub fn column(mut self, table: impl Into<String>, column: Column) -> Self {
        self.columns.push((table.into(), column));
        self
    }

    /// A table of the plugin's own. It takes the plugin's name for it, unprefixed.
    #[must_use]
    pub fn table(mut self, table: Table) -> Self {
        self.tables.push(table);
        self
    }

    /// An index of several columns on a table, which may be anyone's.
    #[must_use]
    pub fn index<const N: usize>(self, table: impl Into<String>, fields: [&str; N]) -> Self {
        self.add_index(table, fields, Purpose::Order)
    }

    /// An index of several columns in which no two rows may agree.
    #[must_use]
    pub fn unique_index<const N: usize>(self, table: impl Into<String>, fields: [&str; N]) -> Self {
        self.add_index(table, fields, Purpose::Unique)
    }

    /// An index that finds the texts of a column by how they begin, whatever their case.
    #[must_use]
    pub fn search_index(self, table: impl Into<String>, field: &str) -> Self {
        self.add_index(table, [field], Purpose::Search)
    }

    /// Other names for the plugin's tables and columns, from its `schema` option.
    #[must_use]
    pub fn names(mut self, names: &ModelNames) -> Self {
        self.names.extend(names.clone());
        self
    }

    fn add_index<const N: usize>(
        mut self,
        table: impl Into<String>,
        fields: [&str; N],
        purpose: Purpose,
    ) -> Self {
        self.indexes.push((table.into(), fields.map(str::to_owned).to_vec(), purpose));
        self
    }
}

/// The schema of an engine with these options, and what plugins add to it by their ids.
pub(crate) fn build<'a>(
    options: &EngineOptions,
    plugins: impl Iterator<Item = (&'a str, &'a SchemaContribution)>,
) -> Result<Schema, SchemaError> {
    let mut builder = Builder::default();
    builder.core(options)?;
    for (id, contribution) in plugins {
        builder.contribute(id, contribution)?;
    }
    builder.additional(options)?;
    if options.rate_limit.storage == RateLimitStorage::Database {
        let mut table = core_tables::rate_limit();
        table.name.clone_from(options.rate_limit.model_name.as_ref().unwrap_or(&table.key));
        builder.tables.push(table);
    }
    builder.finish()
}

#[derive(Default)]
struct Builder {
    tables: Vec<Table>,
    /// Table, fields, what for, who asked.
    compound: Vec<(String, Vec<String>, Purpose, String)>,
}

impl Builder {
    fn core(&mut self, options: &EngineOptions) -> Result<(), SchemaError> {
        for (mut table, names) in [
            (core_tables::user(), &options.user.names),
            (core_tables::session(), &options.session.names),
            (core_tables::account(), &options.account.names),
            (core_tables::verification(), &options.verification.names),
        ] {
            rename(&mut table, names)?;
            self.tables.push(table);
        }
        self.compound.push((
            "account".into(),
            vec!["issuer".into(), "accountId".into()],
            Purpose::Unique,
            "core".into(),
        ));
        Ok(())
    }

    /// Columns that an app declared come after those of plugins.
    fn additional(&mut self, options: &EngineOptions) -> Result<(), SchemaError> {
        for (key, fields) in [
            ("user", &options.user.additional_fields),
            ("session", &options.session.additional_fields),
            ("account", &options.account.additional_fields),
        ] {
            let table = self.table("core", key)?;
            for (field, declared) in fields {
                if table.column(field).is_some() {
                    return Err(SchemaError(format!(
                        "{key}.additionalFields.{field}: the table has that column already"
                    )));
                }
                table.columns.push(additional_column(key, field, declared)?);
            }
        }
        Ok(())
    }

    fn contribute(&mut self, plugin: &str, contribution: &SchemaContribution) -> Result<(), SchemaError> {
        for table in &contribution.tables {
            if self.tables.iter().any(|existing| existing.key == table.key) {
                return Err(SchemaError(format!("plugin {plugin}: there is a table {} already", table.key)));
            }
            self.tables.push(table.clone());
        }
        for (key, column) in &contribution.columns {
            let table = self.table(plugin, key)?;
            if table.column(&column.field).is_some() {
                return Err(SchemaError(format!("plugin {plugin}: {key}.{} exists already", column.field)));
            }
            table.columns.push(column.clone());
        }
        for (key, names) in &contribution.names {
            rename(self.table(plugin, key)?, names)?;
        }
        let indexes = contribution.indexes.iter();
        self.compound.extend(
            indexes.map(|(table, fields, purpose)| (table.clone(), fields.clone(), *purpose, plugin.into())),
        );
        Ok(())
    }

    fn table(&mut self, plugin: &str, key: &str) -> Result<&mut Table, SchemaError> {
        let found = self.tables.iter_mut().find(|table| table.key == key);
        found.ok_or_else(|| {
            SchemaError(format!(
                "plugin {plugin}: there is no table {key}; it must come from a plugin before this one"
            ))
        })
    }

    fn finish(mut self) -> Result<Schema, SchemaError> {
        self.resolve_references()?;
        for table in &mut self.tables {
            for column in &mut table.columns {
                if column.kind == ColumnKind::Text && (column.unique || column.indexed) {
                    column.bound = Some(column.bound.unwrap_or(SINGLE_BOUND));
                }
            }
            let single = table.columns.iter().filter(|column| column.indexed && !column.unique);
            let single: Vec<_> = single
                .map(|column| {
                    Index::new(
                        &table.name,
                        vec![column.field.to_string()],
                        vec![column.name.clone()],
                        Purpose::Order,
                    )
                })
                .collect();
            table.indexes = single;
        }
        for (key, fields, purpose, plugin) in std::mem::take(&mut self.compound) {
            add_compound(self.table(&plugin, &key)?, fields, purpose, &plugin)?;
        }
        let mut names: Vec<_> = self.tables.iter().map(|table| &table.name).collect();
        names.sort();
        if let Some(pair) = names.array_windows::<2>().find(|[a, b]| a == b) {
            return Err(SchemaError(format!("two tables would be called {}", pair[0])));
        }
        Ok(Schema { tables: self.tables })
    }

    fn resolve_references(&mut self) -> Result<(), SchemaError> {
        let targets: Vec<_> = self
            .tables
            .iter()
            .map(|table| {
                (table.key.clone(), table.name.clone(), table.column("id").map(|id| id.name.clone()))
            })
            .collect();
        for table in &mut self.tables {
            for column in &mut table.columns {
                let Some(reference) = &mut column.references else { continue };
                let target = targets.iter().find(|(key, ..)| *key == reference.table);
                let Some((_, name, Some(id))) = target else {
                    return Err(SchemaError(format!(
                        "{}.{} refers to a table {} that does not exist",
                        table.key, column.field, reference.table
                    )));
                };
                reference.table_name.clone_from(name);
                reference.column_name.clone_from(id);
            }
        }
        Ok(())
    }
}

fn add_compound(
    table: &mut Table,
    fields: Vec<String>,
    purpose: Purpose,
    plugin: &str,
) -> Result<(), SchemaError> {
    let wrong = |what: String| SchemaError(format!("plugin {plugin}: an index on {} {what}", table.key));
    let mut distinct = fields.clone();
    distinct.sort();
    distinct.dedup();
    if fields.is_empty() || fields.len() > 16 || distinct.len() != fields.len() {
        return Err(wrong("needs 1 to 16 different columns".into()));
    }
    let mut texts = 0;
    for field in &fields {
        match table.column(field) {
            None => return Err(wrong(format!("names {field}, which is no column of it"))),
            Some(column) if column.kind == ColumnKind::Json => {
                return Err(wrong(format!("cannot hold {field}, which is JSON")));
            }
            Some(column) => texts += usize::from(column.kind == ColumnKind::Text),
        }
    }
    let others = (fields.len() - texts) * 36;
    let fitting = (KEY_BYTES / 4).saturating_sub(others) / texts.max(1);
    let bound = COMPOUND_BOUND.min(u16::try_from(fitting).unwrap_or(COMPOUND_BOUND));
    let mut columns = Vec::new();
    for field in &fields {
        if let Some(column) = table.column_mut(field) {
            if column.kind == ColumnKind::Text {
                column.bound = Some(column.bound.map_or(bound, |bounded| bounded.min(bound)));
            }
            columns.push(column.name.clone());
        }
    }
    table.indexes.push(Index::new(&table.name, fields, columns, purpose));
    Ok(())
}

fn rename(table: &mut Table, names: &TableNames) -> Result<(), SchemaError> {
    if let Some(name) = &names.model_name {
        table.name.clone_from(name);
    }
    for (field, name) in &names.fields {
        let Some(column) = table.column_mut(field) else {
            return Err(SchemaError(format!("{}.fields.{field}: the table has no such column", table.key)));
        };
        column.name.clone_from(name);
    }
    Ok(())
}

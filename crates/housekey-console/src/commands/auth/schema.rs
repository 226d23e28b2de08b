use std::path::{Path, PathBuf};

use housekey_auth::Auth;
use housekey_auth::schema::Plan;
use housekey_core::{Clock, Error, Result};
use housekey_database::{Database, Databases, Migration, MigrationState, Migrations, Migrator};

use crate::commands::database::{make, tell};
use crate::{Command, CommandContext, Problem, confirm_in_production};

/// `auth:schema`: the tables that `config/auth.rs` asks for, as a migration.
pub(crate) struct AuthSchema;

impl Command for AuthSchema {
    fn name(&self) -> &'static str {
        "auth:schema"
    }

    fn about(&self) -> &'static str {
        "Write a migration with the tables that config/auth.rs asks for"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--diff "Write only what the database lacks"))
            .arg(clap::arg!(--migrate "Run it at once, too").conflicts_with("pretend"))
            .arg(clap::arg!(--pretend "Print the migration and its SQL; write nothing"))
            .arg(clap::arg!(--force "Write the file even though `migrate` may refuse it"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let auth = Auth::of(context.services()?)?;
        let (schema, database) = (auth.engine().schema(), &auth.database()?);
        let present = database.introspect().await?;
        let missing = || Plan::missing(schema, &present, database.driver());
        let plan = if context.flag("diff") {
            refuse_pending(&context, database).await?;
            missing().map_err(|conflict| Problem::new(conflict.to_string()))?
        } else if context.flag("migrate") && missing().is_ok_and(|plan| plan.is_empty()) {
            Plan::default()
        } else {
            let taken = schema.tables().iter().map(|table| table.name.as_str());
            refuse_present(&context, taken.filter(|name| present.iter().any(|found| found.name == *name)))?;
            Plan::fresh(schema)
        };

        let ui = context.ui();
        if plan.is_empty() {
            ui.success("The auth tables already match the configuration.");
            return Ok(());
        }
        if context.flag("pretend") {
            pretend(&context, database, &plan).await?;
        } else if context.flag("migrate") {
            confirm_in_production(&context, "This changes the schema of its database.")?;
            match waiting(&context, &plan)? {
                Some(waiting) => run(&context, database, waiting).await?,
                None => write_and_run(&context, database, &plan).await?,
            }
        } else {
            write(&context, &plan)?;
            ui.line(format_args!("\nNext: read it, then run\n  housekey migrate{}", on(&context, database)?));
        }
        plan.notes().iter().for_each(|note| ui.warn(note));
        Ok(())
    }
}

fn refuse_present<'a>(context: &CommandContext, present: impl Iterator<Item = &'a str>) -> Result<()> {
    let present: Vec<&str> = present.collect();
    if present.is_empty() || context.flag("force") {
        return Ok(());
    }
    Err(Problem::new(format!("the database has auth tables already: {}", present.join(", ")))
        .remedy("Use `auth:schema --diff`: it writes only what is missing.")
        .into())
}

/// What a migration adds that has not run yet would be written a second time.
async fn refuse_pending(context: &CommandContext, database: &Database) -> Result<()> {
    if context.flag("force") {
        return Ok(());
    }
    let status = migrator(context, database, None)?.status().await?;
    let has_run = |state: &MigrationState| {
        !matches!(state, MigrationState::Pending | MigrationState::Unfinished { .. })
    };
    let pending: Vec<String> =
        status.into_iter().filter(|one| !has_run(&one.state)).map(|one| one.name).collect();
    if pending.is_empty() {
        return Ok(());
    }
    let what = format!("migrations have not run on this database: {}", pending.join(", "));
    let remedy = format!(
        "Run `housekey migrate{}` first: what they add would be taken for missing. --force compares all the same.",
        on(context, database)?
    );
    Err(Problem::new(what).remedy(remedy).into())
}

fn write(context: &CommandContext, plan: &Plan) -> Result<PathBuf> {
    let name = free_name(context, plan.name())?;
    let root = context.paths().root();
    let stamp = make::next_stamp(root, Clock::system().now());
    let file = make::write(root, &name, &stamp, &plan.to_rust())?;
    context.ui().success(format_args!("{} created", file.display()));
    plan.adds().iter().for_each(|line| context.ui().note(line));
    Ok(file)
}

/// Does what the file says, under the file's name. This program was compiled without the file, so it goes by the plan;
/// the next one finds that the migration has run.
async fn write_and_run(context: &CommandContext, database: &Database, plan: &Plan) -> Result<()> {
    let file = write(context, plan)?;
    let outcome = run(context, database, plan.migration(stem(&file))).await;
    if outcome.is_err() && database.driver().has_transactional_schema() {
        // Nothing of it was kept, so the next attempt starts anew. Where half of it may be there, the file stays:
        // `migrate` goes on with it.
        std::fs::remove_file(context.paths().root().join(&file))?;
        context.ui().note(format_args!("{} removed again", file.display()));
    }
    outcome
}

async fn run(context: &CommandContext, database: &Database, migration: Migration) -> Result<()> {
    let ui = context.ui();
    let migrator = migrator(context, database, Some(Migrations::new().with(migration)))?;
    migrator.watch(move |migrated| tell(ui, migrated)).run().await?;
    Ok(())
}

/// All tables as this program has them already: an earlier run wrote the file, and it was never migrated.
fn waiting(context: &CommandContext, plan: &Plan) -> Result<Option<Migration>> {
    if context.flag("diff") || context.flag("force") {
        return Ok(None);
    }
    let Some(file) = make::with_name(context.paths().root(), &plan.name()) else { return Ok(None) };
    let known = context.services()?.get::<Migrations>();
    Ok(known.and_then(|all| all.get(&stem(Path::new(&file))).cloned()))
}

/// A migration has the name of its file, without the ending.
fn stem(file: &Path) -> String {
    file.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

async fn pretend(context: &CommandContext, database: &Database, plan: &Plan) -> Result<()> {
    let ui = context.ui();
    let name = plan.name();
    ui.line(format_args!("// database/migrations/…_{name}.rs\n{}", plan.to_rust()));
    let only = Migrations::new().with(plan.migration(&name));
    for planned in migrator(context, database, Some(only))?.pretend().await? {
        planned.statements.iter().for_each(|statement| ui.line(format_args!("{statement};")));
    }
    Ok(())
}

/// These migrations, or the app's, on the database of the accounts.
fn migrator(context: &CommandContext, database: &Database, only: Option<Migrations>) -> Result<Migrator> {
    let services = context.services()?;
    let table = services.require::<Databases>()?.config().migrations_table.clone();
    let migrations =
        only.or_else(|| services.get::<Migrations>().map(|all| (*all).clone())).unwrap_or_default();
    Ok(Migrator::new(database.clone(), migrations).table(table))
}

/// The tables may live on another connection than the one `migrate` takes by itself.
fn on(context: &CommandContext, database: &Database) -> Result<String> {
    let usual = context.services()?.require::<Databases>()?.connection(None)?;
    let name = database.name();
    Ok(if usual.name() == name { String::new() } else { format!(" --database={name}") })
}

/// The plan's name; with a number when an earlier migration has it. All tables can be made only once, so a second file
/// for them is a mistake.
fn free_name(context: &CommandContext, name: String) -> Result<String> {
    let root: &Path = context.paths().root();
    let Some(taken) = make::with_name(root, &name) else { return Ok(name) };
    if !context.flag("diff") && !context.flag("force") {
        return Err(Problem::new(format!("there is such a migration already: database/migrations/{taken}"))
            .remedy("Run `housekey migrate`, or remove the file first if it is out of date.")
            .into());
    }
    (2..100)
        .map(|number| format!("{name}_{number}"))
        .find(|name| make::with_name(root, name).is_none())
        .ok_or_else(|| Error::internal(format!("there are a hundred migrations named {name}")))
}

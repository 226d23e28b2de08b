//! `make:queue-table` and its siblings: the tables that drivers in the database need, as migrations of the app.

use std::path::{Path, PathBuf};

use housekey_core::{Clock, Result};

use super::make::{next_stamp, to_be_read, with_name, write};
use crate::{Command, CommandContext, Problem};

/// A part of the framework that keeps something in a table.
///
/// The migration spells every column out: what has run somewhere must not change when the framework does.
pub(crate) struct TableFor {
    command: &'static str,
    about: &'static str,
    migration: &'static str,
    text: &'static str,
    next: &'static str,
}

pub(crate) const CACHE_TABLE: TableFor = TableFor {
    command: "make:cache-table",
    about: "Make a migration for the cache in the database",
    migration: "create_cache_table",
    text: include_str!("tables/cache.txt"),
    next: "set CACHE_STORE=database",
};

pub(crate) const EVENTS_TABLE: TableFor = TableFor {
    command: "make:events-table",
    about: "Make a migration for durable events that wait for their listeners",
    migration: "create_events_table",
    text: include_str!("tables/events.txt"),
    next: "set `const DURABLE: bool = true` in an event",
};

pub(crate) const NOTIFICATIONS_TABLE: TableFor = TableFor {
    command: "make:notifications-table",
    about: "Make a migration for notifications people read in the app",
    migration: "create_notifications_table",
    text: include_str!("tables/notifications.txt"),
    next: "name `database` in the channels() of a notification",
};

pub(crate) const QUEUE_TABLE: TableFor = TableFor {
    command: "make:queue-table",
    about: "Make a migration for jobs that wait or failed",
    migration: "create_queue_tables",
    text: include_str!("tables/queue.txt"),
    next: "set QUEUE_DRIVER=database",
};

pub(crate) const SCHEDULE_TABLE: TableFor = TableFor {
    command: "make:schedule-table",
    about: "Make a migration for the last runs of scheduled tasks",
    migration: "create_schedule_table",
    text: include_str!("tables/schedule.txt"),
    next: "set SCHEDULE_STORE=database",
};

pub(crate) const SESSION_TABLE: TableFor = TableFor {
    command: "make:session-table",
    about: "Make a migration for sessions in the database",
    migration: "create_sessions_table",
    text: include_str!("tables/sessions.txt"),
    next: "set SESSION_DRIVER=database",
};

impl Command for TableFor {
    fn name(&self) -> &'static str {
        self.command
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let root = context.paths().root();
        let file = self.make(root, &next_stamp(root, Clock::system().now()))?;
        let ui = context.ui();
        ui.success(format_args!("{} created", file.display()));
        let first = to_be_read(root);
        ui.line(format_args!("\nNext: {first}run:\n  housekey migrate\nThen {}.", self.next));
        Ok(())
    }
}

impl TableFor {
    fn make(&self, root: &Path, stamp: &str) -> Result<PathBuf> {
        if let Some(same) = with_name(root, self.migration) {
            return Err(Problem::new(format!("the migration exists already: database/migrations/{same}"))
                .remedy("Run it with `housekey migrate`; `housekey migrate:status` shows whether it has run.")
                .into());
        }
        write(root, self.migration, stamp, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_is_made_once() {
        let root = tempfile::tempdir().unwrap();
        std::fs::write(root.path().join("Cargo.toml"), "").unwrap();
        let file = QUEUE_TABLE.make(root.path(), "2026_01_31_090507").unwrap();
        assert_eq!(file, Path::new("database/migrations/2026_01_31_090507_create_queue_tables.rs"));
        let again = QUEUE_TABLE.make(root.path(), "2026_02_01_000000").unwrap_err().to_string();
        assert!(again.contains("exists already") && again.contains("2026_01_31_090507"), "{again}");
        assert_eq!(std::fs::read_dir(root.path().join("database/migrations")).unwrap().count(), 1);
    }

    #[test]
    fn outside_an_app_nothing_is_made() {
        let root = tempfile::tempdir().unwrap();
        let error = CACHE_TABLE.make(root.path(), "2026_01_31_090507").unwrap_err().to_string();
        assert!(error.contains("Cargo.toml"), "{error}");
        assert!(!root.path().join("database").exists());
    }
}

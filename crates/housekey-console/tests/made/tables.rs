//! The tables that `make:*-table` writes: migrated on every engine, they are what the drivers expect.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use housekey::database::{Migration, Migrations, Migrator, Schema, TableInfo};
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;

use crate::migrations::{
    create_cache_table, create_events_table, create_notifications_table, create_queue_tables,
    create_schedule_table, create_sessions_table,
};

on_every_engine!(what_is_made_is_what_the_drivers_expect_and_can_be_taken_back);

fn made() -> Migrations {
    Migrations::new()
        .with(Migration::new("1_cache", create_cache_table::up, create_cache_table::down))
        .with(Migration::new(
            "2_notifications",
            create_notifications_table::up,
            create_notifications_table::down,
        ))
        .with(Migration::new("3_queue", create_queue_tables::up, create_queue_tables::down))
        .with(Migration::new("4_sessions", create_sessions_table::up, create_sessions_table::down))
        .with(Migration::new("5_schedule", create_schedule_table::up, create_schedule_table::down))
        .with(Migration::new("6_events", create_events_table::up, create_events_table::down))
}

/// What the framework itself says its tables are.
fn expected(schema: &mut Schema) {
    housekey::cache::database::create_table(schema);
    housekey::events::tables::create(schema);
    housekey::notifications::tables::create(schema);
    housekey::queue::tables::create(schema);
    housekey::schedule::tables::create(schema);
    housekey::session::create_sessions_table(schema);
}

async fn what_is_made_is_what_the_drivers_expect_and_can_be_taken_back(test: TestDatabase) {
    let migrator = Migrator::new(test.db.clone(), made());
    assert_eq!(migrator.run().await.unwrap().len(), 6);
    let migrated = described(&test).await;
    let names: Vec<&str> = migrated.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(
        names,
        [
            "cache",
            "event_outbox",
            "failed_jobs",
            "job_batches",
            "jobs",
            "notifications",
            "schedule_runs",
            "sessions"
        ]
    );

    assert_eq!(migrator.rollback(None).await.unwrap().len(), 6);
    assert!(described(&test).await.is_empty(), "nothing is left");
    test.db.schema(expected).await.unwrap();
    assert_eq!(migrated, described(&test).await);
}

/// Every table but the migrator's own, in the words of introspection.
async fn described(test: &TestDatabase) -> Vec<(String, String)> {
    let tables = test.db.introspect().await.unwrap();
    let ours = tables.into_iter().filter(|table| !table.name.starts_with("migrations"));
    let mut described: Vec<_> =
        ours.map(|table: TableInfo| (table.name.clone(), format!("{table:?}"))).collect();
    described.sort();
    described
}

//! Introspection beside sea-schema, which reads the same catalogues with other eyes.

use std::collections::BTreeSet;

use housekey_database::testing::TestDatabase;
use housekey_database::{Database, Driver, TableInfo, on_every_engine};

/// What both can tell: columns with nullability, indexes with their columns in order, references.
#[derive(Debug, Default, PartialEq, Eq)]
struct Seen {
    columns: Vec<(String, bool)>,
    indexes: BTreeSet<(Vec<String>, bool)>,
    references: BTreeSet<(Vec<String>, String, Vec<String>)>,
}

async fn rich(db: &Database) {
    db.schema(|schema| {
        schema.create("users", |table| {
            table.id();
            table.string("email", 100).unique();
            table.text("bio").nullable();
            table.timestamp("createdAt").default_now();
        });
        schema.create("posts", |table| {
            table.id();
            table.big_integer("userId").references("users", "id").on_delete_cascade().index();
            table.string("slug", 80);
            table.string("lang", 5).nullable();
            table.json("tags").nullable();
            table.boolean("live").default(false);
            table.unique(["lang", "slug"]);
            table.index(["slug", "lang", "userId"]);
        });
    })
    .await
    .unwrap();
}

fn ours(table: &TableInfo) -> Seen {
    Seen {
        columns: table.columns.iter().map(|column| (column.name.clone(), column.nullable)).collect(),
        indexes: table.indexes.iter().map(|index| (index.columns.clone(), index.unique)).collect(),
        references: table
            .foreign_keys
            .iter()
            .map(|key| (key.columns.clone(), key.table.clone(), key.references.clone()))
            .collect(),
    }
}

async fn both_see_the_same(test: TestDatabase) {
    rich(&test.db).await;
    for table in test.db.introspect().await.unwrap() {
        let theirs = match test.db.driver() {
            Driver::Sqlite => sqlite(&test, &table.name).await,
            Driver::Postgres => postgres(&test, &table.name).await,
            Driver::MySql => mysql(&test, &table.name).await,
        };
        let mut ours = ours(&table);
        if test.db.driver() == Driver::Postgres {
            // It knows of unique indexes only there.
            ours.indexes.retain(|(_, unique)| *unique);
        }
        assert_eq!(ours, theirs, "{}", table.name);
    }
}

on_every_engine!(both_see_the_same);

async fn sqlite(test: &TestDatabase, name: &str) -> Seen {
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(test.paths().join("database.sqlite"));
    let pool = sqlx::SqlitePool::connect_with(options).await.unwrap();
    let schema = sea_schema::sqlite::discovery::SchemaDiscovery::new(pool).discover().await.unwrap();
    let table = schema.tables.into_iter().find(|table| table.name == name).unwrap();
    let indexes = schema.indexes.into_iter().filter(|index| index.table_name == name);
    Seen {
        columns: table.columns.into_iter().map(|column| (column.name, !column.not_null)).collect(),
        indexes: indexes.map(|index| (index.columns, index.unique)).collect(),
        references: table.foreign_keys.into_iter().map(|key| (key.from, key.table, key.to)).collect(),
    }
}

async fn postgres(test: &TestDatabase, name: &str) -> Seen {
    let pool = sqlx::PgPool::connect(test.config.url.reveal()).await.unwrap();
    let (_, here) = test.config.url.reveal().rsplit_once('=').unwrap();
    let schema = sea_schema::postgres::discovery::SchemaDiscovery::new(pool, here).discover().await.unwrap();
    let table = schema.tables.into_iter().find(|table| table.info.name == name).unwrap();
    Seen {
        columns: table.columns.into_iter().map(|column| (column.name, column.not_null.is_none())).collect(),
        indexes: table.unique_constraints.into_iter().map(|unique| (unique.columns, true)).collect(),
        references: table
            .reference_constraints
            .into_iter()
            .map(|key| (key.columns, key.table, key.foreign_columns))
            .collect(),
    }
}

async fn mysql(test: &TestDatabase, name: &str) -> Seen {
    let pool = sqlx::MySqlPool::connect(test.config.url.reveal()).await.unwrap();
    let (_, here) = test.config.url.reveal().rsplit_once('/').unwrap();
    let schema = sea_schema::mysql::discovery::SchemaDiscovery::new(pool, here).discover().await.unwrap();
    let table = schema.tables.into_iter().find(|table| table.info.name == name).unwrap();
    let indexes = table.indexes.into_iter().filter(|index| index.name != "PRIMARY");
    Seen {
        columns: table.columns.into_iter().map(|column| (column.name, column.null)).collect(),
        indexes: indexes
            .map(|index| (index.parts.into_iter().map(|part| part.column).collect(), index.unique))
            .collect(),
        references: table
            .foreign_keys
            .into_iter()
            .map(|key| (key.columns, key.referenced_table, key.referenced_columns))
            .collect(),
    }
}

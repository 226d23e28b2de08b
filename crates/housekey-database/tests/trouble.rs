//! What people see when a database is not as they thought, and what is lost then: nothing.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use housekey_core::{Paths, Secret};
use housekey_database::testing::{self, TestDatabase};
use housekey_database::{
    ConnectionConfig, Database, DatabaseConfig, DatabaseError, Databases, Driver, on_every_server, record,
};
use housekey_test_support::{ClosedPort, in_time, until_async};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// A server that answers does so in time, however busy the machine is; one that does not is given up after so long.
fn waiting(mut config: ConnectionConfig, seconds: u64) -> ConnectionConfig {
    config.pool.acquire_timeout = seconds;
    config
}

const LONG: u64 = 120;

#[tokio::test]
async fn an_unreachable_server_is_named_with_what_to_check() {
    for (driver, scheme) in [(Driver::Postgres, "postgres"), (Driver::MySql, "mysql")] {
        let closed = ClosedPort::take().unwrap();
        let port = closed.address().port();
        let url = format!("{scheme}://ada:hunter2@127.0.0.1:{port}/shop");
        let mut config = waiting(ConnectionConfig::postgres(url), 3);
        config.driver = driver;
        let db = Database::open("main", config, &Paths::new(".")).unwrap();
        let error = db.ping().await.unwrap_err();
        assert!(DatabaseError::of(&error).unwrap().is_unreachable(), "{error}");
        let text = error.to_string();
        assert!(text.contains(&format!("cannot reach {driver} (shop at 127.0.0.1:{port})")), "{text}");
        assert!(text.contains("connection `main` in config/database.rs"), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
        assert_eq!(error.message(), "Something went wrong on our side.");
    }
}

#[tokio::test]
async fn a_wrong_password_is_named_without_being_shown() {
    for driver in [Driver::Postgres, Driver::MySql] {
        let url = testing::server(driver);
        let (before, after) = url.split_once('@').unwrap();
        let (who, _) = before.rsplit_once(':').unwrap();
        let url = format!("{who}:hunter2@{after}");
        let mut config = waiting(ConnectionConfig::postgres(url), LONG);
        config.driver = driver;
        let db = Database::open("main", config, &Paths::new(".")).unwrap();
        let error = db.ping().await.unwrap_err();
        assert!(DatabaseError::of(&error).unwrap().is_denied(), "{error}");
        let text = error.to_string();
        assert!(text.contains("Check the username and password of the connection `main`"), "{text}");
        assert!(!text.contains("hunter2"), "{text}");
    }
}

#[tokio::test]
async fn a_database_that_does_not_exist_is_named() {
    for driver in [Driver::Postgres, Driver::MySql] {
        let url = testing::server(driver);
        let (base, _) = url.rsplit_once('/').unwrap();
        let mut config = waiting(ConnectionConfig::postgres(format!("{base}/no_such_shop")), LONG);
        config.driver = driver;
        let error =
            Database::open("main", config, &Paths::new(".")).unwrap().ping().await.unwrap_err().to_string();
        assert!(error.contains("no such database (no_such_shop at"), "{error}");
    }
}

#[test]
fn an_unknown_connection_lists_the_known_ones() {
    let config = DatabaseConfig::default().with("reports", ConnectionConfig::memory());
    let databases = Databases::new(&config, &Paths::new("."));
    let error = databases.connection(Some("report")).unwrap_err().to_string();
    assert_eq!(error, "there is no database connection `report`; config/database.rs has reports, sqlite");
}

#[tokio::test]
async fn an_address_that_is_none_is_an_error_and_not_a_panic() {
    let closed = ClosedPort::take().unwrap();
    for url in ["", "nonsense", "postgres://", "postgres://a b/c", "mysql://@:x/"] {
        for driver in [Driver::Postgres, Driver::MySql] {
            let mut config = waiting(ConnectionConfig::postgres(url), 1);
            config.driver = driver;
            config.port = Some(closed.address().port());
            let db = Database::open("main", config, &Paths::new(".")).unwrap();
            assert!(DatabaseError::of(&db.ping().await.unwrap_err()).is_some(), "{url}");
        }
    }
}

#[tokio::test]
async fn a_folder_that_cannot_be_made_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("storage"), "a file where a folder should be").unwrap();
    let config = ConnectionConfig::sqlite("storage/database.sqlite");
    let db = Database::open("sqlite", config, &Paths::new(folder.path())).unwrap();
    let error = db.ping().await.unwrap_err().to_string();
    assert!(error.contains("cannot open") && error.contains("storage/database.sqlite"), "{error}");
    assert!(error.contains("Check that the folder exists"), "{error}");
}

#[tokio::test]
async fn a_file_that_is_no_database_is_named_and_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("notes.txt");
    std::fs::write(&file, "these are notes, not tables".repeat(100)).unwrap();
    let config = ConnectionConfig::sqlite("notes.txt");
    let db = Database::open("sqlite", config, &Paths::new(folder.path())).unwrap();
    let error = db.ping().await.unwrap_err().to_string();
    assert!(error.contains("notes.txt"), "{error}");
    assert!(std::fs::read_to_string(&file).unwrap().starts_with("these are notes"));
}

/// Tests may run as root, whom the system lets write everywhere: so it is SQLite that refuses here, as it does for a
/// file without the right to write.
#[tokio::test]
async fn a_read_only_file_can_be_read_and_says_why_it_cannot_be_written() {
    testing::on(Driver::Sqlite, |test| async move {
        numbers(&test.db).await;
        let reader = test.configured(|config| config.read_only = true);
        assert_eq!(reader.table("numbers").count().await.unwrap(), 1);
        let error = reader.table("numbers").insert(record! { "number" => 2 }).await.unwrap_err();
        assert!(DatabaseError::of(&error).unwrap().is_read_only(), "{error}");
        assert!(error.to_string().contains("database.sqlite is read-only"), "{error}");
        let error = reader
            .schema(|schema| {
                schema.create("more", |table| {
                    table.id();
                });
            })
            .await
            .unwrap_err();
        assert!(DatabaseError::of(&error).unwrap().is_read_only(), "{error}");
        assert_eq!(test.db.table("numbers").count().await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_full_disk_is_named_and_loses_nothing() {
    testing::on(Driver::Sqlite, |test| async move {
        let db = test.configured(|config| config.pool.max = 1);
        numbers(&db).await;
        // SQLite's own limit fails in the same way, and as early, as the disk's.
        let pages: i64 = db.raw("pragma page_count", []).await.unwrap()[0].at(0).unwrap();
        db.raw(&format!("pragma max_page_count = {}", pages + 2), []).await.unwrap();
        let large = "x".repeat(100_000);
        let outcome = db
            .transaction(async |tx| {
                tx.table("numbers").insert(record! { "number" => 2 }).await?;
                tx.table("numbers").insert(record! { "number" => 3, "note" => &large }).await
            })
            .await;
        let error = outcome.unwrap_err();
        assert!(DatabaseError::of(&error).unwrap().is_full(), "{error}");
        assert!(error.to_string().contains("no room left"), "{error}");
        assert_eq!(db.table("numbers").count().await.unwrap(), 1);
        db.table("numbers").insert(record! { "number" => 4 }).await.unwrap();
    })
    .await;
}

#[tokio::test]
async fn a_pool_that_is_used_up_says_so() {
    for driver in Driver::ALL {
        testing::on(driver, |test| async move {
            let db = test.configured(|config| {
                config.pool.max = 1;
                config.pool.acquire_timeout = 2;
            });
            // The one connection is open before it is asked for twice.
            until_async("a connection", async || db.ping().await.is_ok()).await;
            let error = db.transaction(async |_| db.ping().await).await.unwrap_err();
            assert!(DatabaseError::of(&error).unwrap().is_timeout(), "{error}");
            assert!(error.to_string().contains("raise `pool.max`"), "{error}");
            db.ping().await.unwrap();
            db.close().await;
        })
        .await;
    }
}

#[tokio::test]
async fn a_closed_database_is_an_error() {
    let db = Database::memory();
    db.ping().await.unwrap();
    db.close().await;
    assert!(db.ping().await.unwrap_err().to_string().contains("has been closed"));
}

#[tokio::test]
async fn a_slow_query_is_logged_without_its_values() {
    testing::on(Driver::Sqlite, |test| async move {
        let log = Log::default();
        let config =
            DatabaseConfig { default: "main".into(), slow_query_ms: Some(0), ..DatabaseConfig::default() };
        let databases = Databases::new(&config.with("main", test.config.clone()), &test.paths());
        let db = databases.connection(None).unwrap();
        // Without the time of day, whose digits may be those of a value.
        let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).without_time();
        let guard = tracing::subscriber::set_default(subscriber.finish());
        numbers(&db).await;
        let query = db.table("numbers").where_eq("note", "hunter2").where_in("number", [4242, 4243]);
        query.rows().await.unwrap();
        assert!(db.table("numbers").insert(record! { "number" => 4244, "id" => 1 }).await.is_err());
        drop(guard);
        let text = log.text();
        assert!(text.contains("slow query") && text.contains("connection=\"main\""), "{text}");
        assert!(text.contains("WHERE `note` = ? AND `number` IN (?, ?)"), "{text}");
        assert!(!text.contains("hunter2") && !text.contains("424"), "{text}");
    })
    .await;
}

#[tokio::test]
async fn a_connection_that_was_not_had_is_no_slow_query() {
    testing::on(Driver::Postgres, |test| async move {
        let log = Log::default();
        let closed = ClosedPort::take().unwrap();
        let url = format!("postgres://ada:hunter2@{}/shop", closed.address());
        let mut refused = waiting(ConnectionConfig::postgres(url), 3);
        refused.pool.max = 1;
        let mut small = waiting(test.config.clone(), 5);
        small.pool.max = 1;
        let config = DatabaseConfig { slow_query_ms: Some(2_000), ..DatabaseConfig::default() };
        let config = config.with("refused", refused).with("small", small);
        let databases = Databases::new(&config, &test.paths());
        let small = databases.connection(Some("small")).unwrap();
        // To connect is part of a first statement, and takes its time on a busy machine.
        until_async("a connection", async || small.ping().await.is_ok()).await;
        let subscriber = tracing_subscriber::fmt().with_writer(log.clone()).with_ansi(false).finish();
        let guard = tracing::subscriber::set_default(subscriber);

        let refused = databases.connection(Some("refused")).unwrap();
        for outcome in [refused.ping().await, refused.begin().await.map(drop)] {
            let error = outcome.unwrap_err().to_string();
            assert!(error.contains("cannot reach PostgreSQL (shop at 127.0.0.1:"), "{error}");
            assert!(error.contains("onnection refused") && error.contains("Is it running"), "{error}");
        }
        let error = small.transaction(async |_| small.ping().await).await.unwrap_err().to_string();
        assert!(error.contains("raise `pool.max`"), "{error}");
        assert!(!log.text().contains("slow query"), "{}", log.text());

        // One that was slow, and failed in the end, is still told.
        assert!(small.raw("select pg_sleep(2.5), 1 / (pg_backend_pid() * 0)", []).await.is_err());
        assert!(log.text().contains("slow query"), "{}", log.text());
        small.close().await;
        drop(guard);
    })
    .await;
}

async fn numbers(db: &Database) {
    db.schema(|schema| {
        schema.create("numbers", |table| {
            table.id();
            table.big_integer("number");
            table.text("note").nullable();
        });
    })
    .await
    .unwrap();
    db.table("numbers").insert(record! { "number" => 1 }).await.unwrap();
}

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
    }
}

impl std::io::Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl<'a> tracing_subscriber::fmt::MakeWriter<'a> for Log {
    type Writer = Self;

    fn make_writer(&'a self) -> Self {
        self.clone()
    }
}

on_every_server!(
    a_connection_that_broke_costs_one_request,
    whoever_stops_waiting_for_an_answer_takes_no_connection_with_them,
);

/// The server ends our connections, as it does when it restarts.
async fn a_connection_that_broke_costs_one_request(test: TestDatabase) {
    let db = test.db.clone();
    numbers(&db).await;
    let (ask, kill) = match db.driver() {
        Driver::Postgres => ("select pg_backend_pid()::int8 as id", "select pg_terminate_backend({}, 10000)"),
        _ => ("select connection_id() as id", "kill {}"),
    };
    // Several connections at once, and all idle after that.
    let together = tokio::sync::Barrier::new(4);
    let connection = async || {
        db.transaction(async |tx| {
            together.wait().await;
            tx.raw(ask, []).await?[0].get::<i64>("id")
        })
        .await
        .unwrap()
    };
    let (a, b, c, d) = tokio::join!(connection(), connection(), connection(), connection());
    let admin = test.database();
    for id in [a, b, c, d] {
        admin.raw(&kill.replace("{}", &id.to_string()), []).await.unwrap();
    }
    // MySQL answers before it is done.
    let left = format!("select 1 from information_schema.processlist where id in ({a}, {b}, {c}, {d})");
    if db.driver() == Driver::MySql {
        until_async("the end of the connections", async || admin.raw(&left, []).await.unwrap().is_empty())
            .await;
    }
    // At most one caller meets a broken connection.
    let mut broken = Vec::new();
    for _ in 0..12 {
        match db.table("numbers").count().await {
            Ok(count) => assert_eq!(count, 1),
            Err(error) => {
                assert!(DatabaseError::of(&error).unwrap().is_unreachable(), "{error}");
                broken.push(error.to_string());
            }
        }
    }
    assert!(broken.len() <= 1, "{broken:#?}");
    admin.close().await;
}

/// Answers come in small pieces, so that somebody can go away in the middle of one.
async fn whoever_stops_waiting_for_an_answer_takes_no_connection_with_them(test: TestDatabase) {
    let link = slow_link_to(&test.config).await;
    let db = test.configured(|config| {
        config.pool.max = 2;
        config.url = link;
    });
    db.ping().await.unwrap();
    let value = if db.driver() == Driver::Postgres { "$1" } else { "?" };
    for turn in 0..60_u64 {
        // No connection knows this text, so it is prepared first.
        let sql = format!("select {turn} as number, {value} as text");
        let answer = db.raw(&sql, ["a".into()]);
        let _ = tokio::time::timeout(Duration::from_millis(turn % 30), answer).await;
    }
    until_async("every connection is free", async || db.connections().0 == db.connections().1).await;
    let rows = in_time("an answer", db.raw("select 7 as number", [])).await.unwrap();
    assert_eq!(rows[0].get::<i64>("number").unwrap(), 7);
}

/// The address of the same database behind a line that carries a few bytes at a time.
async fn slow_link_to(config: &ConnectionConfig) -> Secret {
    let url = config.url.reveal();
    let (before, after) = url.split_once('@').unwrap();
    let (server, database) = after.split_once('/').unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let slow = format!("{before}@{}/{database}", listener.local_addr().unwrap());
    let server = server.to_owned();
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(&server).await.unwrap();
            let ((mut asked, mut answered), (mut answers, mut asks)) =
                (client.into_split(), server.into_split());
            tokio::spawn(async move { tokio::io::copy(&mut asked, &mut asks).await });
            tokio::spawn(async move {
                let mut bytes = [0; 16];
                while let Ok(count @ 1..) = answers.read(&mut bytes).await {
                    if answered.write_all(&bytes[..count]).await.is_err() {
                        break;
                    }
                    tokio::time::sleep(Duration::from_millis(1)).await;
                }
            });
        }
    });
    slow.into()
}

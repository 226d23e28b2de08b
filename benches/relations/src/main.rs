//! A page of 100 books with their tags (many to many) and their last loans, read in three ways over the same tables:
//! hand-written SQL over sqlx, our models, and SeaORM 2. `cargo xtask bench data` runs it.
//!
//! Before anything is measured, all three must have read the same from every page. Prints a line per engine: its name, how
//! many queries each of the three makes for a page, and the microseconds of a page, first by the clock (the best round),
//! then of processor time of this process (all rounds).

#![allow(clippy::unwrap_used, reason = "a measurement, run by hand")]

mod by_hand;
mod library;
mod ours;
mod page;
mod sea;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use housekey_database::testing::TestDatabase;
use housekey_database::{Database, Driver};
use sea_orm::{DatabaseConnection, SqlxMySqlConnector, SqlxPostgresConnector, SqlxSqliteConnector};
use sqlx::ConnectOptions;
use sqlx::mysql::{MySqlConnectOptions, MySqlPoolOptions};
use sqlx::pool::PoolOptions;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous};

use crate::by_hand::ByHand;
use crate::library::{BOOKS, PAGE};
use crate::page::ReadPage;

/// Short rounds, turn about: what else the machine does must not decide.
const ROUNDS: u32 = 60;
const PAGES: u32 = 20;

/// The most connections that each of the three may open.
const CONNECTIONS: u32 = 5;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    for driver in Driver::ALL {
        let test = TestDatabase::on(driver).await;
        library::fill(&test.db).await;
        let db = test.configured(|config| config.pool.max = CONNECTIONS);
        let url = test.config.url.reveal();
        // The same connections for the two that use sqlx: neither pings one before each use nor logs statements, as we do not.
        let (by_hand, sea): (ByHand, DatabaseConnection) = match driver {
            Driver::Sqlite => {
                let options = SqliteConnectOptions::new()
                    .filename(&test.config.database)
                    .journal_mode(SqliteJournalMode::Wal)
                    .synchronous(SqliteSynchronous::Normal)
                    .disable_statement_logging();
                let pool =
                    async || like_ours(SqlitePoolOptions::new()).connect_with(options.clone()).await.unwrap();
                (ByHand::Sqlite(pool().await), SqlxSqliteConnector::from_sqlx_sqlite_pool(pool().await))
            }
            Driver::Postgres => {
                let pool = async || {
                    like_ours(PgPoolOptions::new())
                        .connect_with(quiet::<PgConnectOptions>(url))
                        .await
                        .unwrap()
                };
                (ByHand::Postgres(pool().await), SqlxPostgresConnector::from_sqlx_postgres_pool(pool().await))
            }
            Driver::MySql => {
                let pool = async || {
                    like_ours(MySqlPoolOptions::new())
                        .connect_with(quiet::<MySqlConnectOptions>(url))
                        .await
                        .unwrap()
                };
                (ByHand::MySql(pool().await), SqlxMySqlConnector::from_sqlx_mysql_pool(pool().await))
            }
        };
        let queries = check(&by_hand, &test.database(), sea.clone()).await;
        let took = beside(&by_hand, &db, &sea).await;
        let queries = queries.map(|count| format!("\t{count}")).concat();
        println!("{driver}{queries}{}", took.map(|micros| format!("\t{micros:.2}")).concat());
        db.close().await;
        test.db.close().await;
    }
}

fn like_ours<D: sqlx::Database>(options: PoolOptions<D>) -> PoolOptions<D> {
    options.max_connections(CONNECTIONS).test_before_acquire(false)
}

fn quiet<O: ConnectOptions>(url: &str) -> O {
    O::from_str(url).unwrap().disable_statement_logging()
}

/// All three read the same, from every page. Says how many queries each makes for one.
async fn check(by_hand: &ByHand, db: &Database, mut sea: DatabaseConnection) -> [usize; 3] {
    let log = db.log_queries();
    let asked = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&asked);
    sea.set_metric_callback(move |_| {
        counter.fetch_add(1, Ordering::Relaxed);
    });
    let pages = BOOKS / PAGE;
    for page in 0..pages {
        let expected = by_hand.read(page * PAGE).await;
        assert_eq!(expected.len() as i64, PAGE);
        assert!(expected.iter().all(|book| !book.tags.is_empty()));
        assert!(expected.iter().any(|book| book.last_loan.is_none()));
        assert_eq!(db.read(page * PAGE).await, expected, "our models");
        assert_eq!(sea.read(page * PAGE).await, expected, "SeaORM");
    }
    let each = |all: usize| all / pages as usize;
    [by_hand::QUERIES, each(log.statements().len()), each(asked.load(Ordering::Relaxed))]
}

async fn beside(by_hand: &ByHand, db: &Database, sea: &DatabaseConnection) -> [f64; 6] {
    let (mut best, mut spent) = ([Duration::MAX; 3], [Duration::ZERO; 3]);
    for _ in 0..ROUNDS {
        let rounds = [round(by_hand).await, round(db).await, round(sea).await];
        for (reader, (clock, processor)) in rounds.into_iter().enumerate() {
            best[reader] = best[reader].min(clock);
            spent[reader] += processor / ROUNDS;
        }
    }
    let mut took = best.into_iter().chain(spent).map(|time| time.as_secs_f64() * 1e6 / f64::from(PAGES));
    std::array::from_fn(|_| took.next().unwrap())
}

/// By the clock, and of processor time.
async fn round(reader: &impl ReadPage) -> (Duration, Duration) {
    let (started, before) = (Instant::now(), processor_time());
    for page in 0..i64::from(PAGES) {
        reader.just_read(page % (BOOKS / PAGE) * PAGE).await;
    }
    (started.elapsed(), processor_time().saturating_sub(before))
}

/// Of all threads of this process, where the system tells (Linux).
fn processor_time() -> Duration {
    let threads = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let nanos = threads.filter_map(|thread| {
        let text = std::fs::read_to_string(thread.path().join("schedstat")).ok()?;
        text.split(' ').next()?.parse::<u64>().ok()
    });
    Duration::from_nanos(nanos.sum())
}

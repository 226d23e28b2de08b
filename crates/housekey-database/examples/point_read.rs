//! A read by key through our layer beside bare sqlx, in one run, on every engine: `cargo xtask bench data`.
//!
//! Prints a line per engine: its name, and the microseconds of a read by bare sqlx, `Model::find` and `Query::first`,
//! first by the clock (the best round), then of processor time (all rounds).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement, run by hand")]

use std::time::{Duration, Instant};

use housekey_database::testing::TestDatabase;
use housekey_database::{Database, Driver, FromRow, Model, record};
use sqlx::mysql::MySqlPoolOptions;
use sqlx::postgres::PgPoolOptions;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePoolOptions};
use sqlx::{AssertSqlSafe, Row as _};

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "users")]
struct User {
    id: i64,
    name: String,
    email: String,
}

const ROUNDS: u32 = 100;
const READS: u32 = 300;

/// What a person writes who wants nothing but the row.
macro_rules! bare {
    ($pool:expr, $place:literal) => {{
        let pool = $pool;
        async move |id: i64| {
            let sql = concat!("select id, name, email from users where id = ", $place);
            let row = sqlx::query(AssertSqlSafe(sql)).bind(id).fetch_optional(&pool).await.unwrap().unwrap();
            User { id: row.get("id"), name: row.get("name"), email: row.get("email") }
        }
    }};
}
#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    for driver in Driver::ALL {
        let test = TestDatabase::on(driver).await;
        fill(&test.db).await;
        let url = test.config.url.reveal();
        // Bare sqlx without the ping before each use, which we do without as well, and with the same text as ours.
        let took = match driver {
            Driver::Sqlite => {
                let options = SqliteConnectOptions::new().filename(&test.config.database);
                let pool = SqlitePoolOptions::new().test_before_acquire(false);
                beside(&test.db, bare!(pool.connect_with(options).await.unwrap(), "?")).await
            }
            Driver::Postgres => {
                let pool = PgPoolOptions::new().test_before_acquire(false);
                beside(&test.db, bare!(pool.connect(url).await.unwrap(), "$1")).await
            }
            Driver::MySql => {
                let pool = MySqlPoolOptions::new().test_before_acquire(false);
                beside(&test.db, bare!(pool.connect(url).await.unwrap(), "?")).await
            }
        };
        println!("{driver}{}", took.map(|micros| format!("\t{micros:.3}")).concat());
        test.db.close().await;
    }
}

async fn fill(db: &Database) {
    db.schema(|schema| {
        schema.create("users", |table| {
            table.id();
            table.string("name", 100);
            table.string("email", 100).unique();
        });
    })
    .await
    .unwrap();
    let rows =
        (0..1000).map(|n| record! { "name" => "Ada Lovelace", "email" => format!("ada{n}@example.com") });
    db.table("users").insert_many(rows).await.unwrap();
}

/// Turn about in short rounds: what else the machine does must not decide.
async fn beside(db: &Database, bare: impl AsyncFn(i64) -> User) -> [f64; 6] {
    let (mut best, mut spent) = ([Duration::MAX; 3], [Duration::ZERO; 3]);
    for _ in 0..ROUNDS {
        let rounds = [
            round(&bare).await,
            round(async |id| User::on(db).find(id).await.unwrap().unwrap()).await,
            round(async |id| {
                let query = db.table("users").where_eq("id", id);
                query.first::<User>().await.unwrap().unwrap()
            })
            .await,
        ];
        for (reader, (clock, processor)) in rounds.into_iter().enumerate() {
            best[reader] = best[reader].min(clock);
            spent[reader] += processor / ROUNDS;
        }
    }
    let mut took = best.into_iter().chain(spent).map(|time| time.as_secs_f64() * 1e6 / f64::from(READS));
    std::array::from_fn(|_| took.next().unwrap())
}

/// By the clock, and of processor time.
async fn round(read: impl AsyncFn(i64) -> User) -> (Duration, Duration) {
    let (started, before) = (Instant::now(), processor_time());
    for n in 0..READS {
        let user = read(i64::from(n * 7 % 1000) + 1).await;
        std::hint::black_box((user.id, user.name, user.email));
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

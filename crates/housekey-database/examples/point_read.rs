//! A read by key through our layer beside bare sqlx, in one run: `cargo run --release --example point_read`.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement, run by hand")]

use std::time::{Duration, Instant};

use housekey_core::Paths;
use housekey_database::{ConnectionConfig, Database, FromRow, Model, record};
use sqlx::Row as _;

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "users")]
struct User {
    id: i64,
    name: String,
    email: String,
}

const READS: u32 = 5_000;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let folder = tempfile::tempdir().unwrap();
    let paths = Paths::new(folder.path());
    let db = Database::open("bench", ConnectionConfig::sqlite("bench.sqlite"), &paths).unwrap();
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
    let options = sqlx::sqlite::SqliteConnectOptions::new().filename(folder.path().join("bench.sqlite"));
    // Without the ping before each use, which we do without as well.
    let pool = sqlx::sqlite::SqlitePoolOptions::new().test_before_acquire(false);
    let bare = pool.connect_with(options).await.unwrap();

    // Turn about, and the best round of each: what else the machine does must not decide.
    let (mut by_sqlx, mut by_model, mut by_query) = (Duration::MAX, Duration::MAX, Duration::MAX);
    for _ in 0..10 {
        let started = Instant::now();
        for n in 0..READS {
            let row = sqlx::query("select id, name, email from users where id = ?")
                .bind(i64::from(n % 1000) + 1)
                .fetch_optional(&bare)
                .await
                .unwrap()
                .unwrap();
            let user = User { id: row.get("id"), name: row.get("name"), email: row.get("email") };
            std::hint::black_box(user);
        }
        by_sqlx = by_sqlx.min(started.elapsed());

        let started = Instant::now();
        for n in 0..READS {
            std::hint::black_box(User::on(&db).find(n % 1000 + 1).await.unwrap().unwrap());
        }
        by_model = by_model.min(started.elapsed());

        let started = Instant::now();
        for n in 0..READS {
            let query = db.table("users").where_eq("id", n % 1000 + 1);
            std::hint::black_box(query.first::<User>().await.unwrap().unwrap());
        }
        by_query = by_query.min(started.elapsed());
    }
    let each = |time: Duration| time.as_secs_f64() * 1e6 / f64::from(READS);
    let ratio = |time: Duration| each(time) / each(by_sqlx);
    println!("bare sqlx      {:6.2} µs", each(by_sqlx));
    println!("Model::find    {:6.2} µs  {:.2}×", each(by_model), ratio(by_model));
    println!("Query::first   {:6.2} µs  {:.2}×", each(by_query), ratio(by_query));
}

//! The list of users at a million of them, on PostgreSQL and SQLite: `cargo xtask bench admin`.
//!
//! Prints, per engine and question, the plan of the database and a line with tabs: `=`, the engine, the question, and the
//! milliseconds of the statement by the clock (the best and the middle of the rounds, from the process to the database and back).

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement, run by hand")]

use std::time::Instant;

use housekey_database::testing::TestDatabase;
use housekey_database::{Database, Driver};
use housekey_engine::Engine;
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::{AdminOptions, admin};
use housekey_engine::schema::Table;
use housekey_engine::storage::{Comparison, Condition, Direction, Filter, Find, Records as _};
use housekey_engine_sql::SqlStorage;

const ROUNDS: usize = 9;

#[tokio::main(flavor = "multi_thread", worker_threads = 2)]
async fn main() {
    let users = std::env::args().nth(1).map_or(1_000_000, |number| number.parse().unwrap());
    for (name, driver) in [("PostgreSQL", Driver::Postgres), ("SQLite", Driver::Sqlite)] {
        let test = TestDatabase::on(driver).await;
        let storage = SqlStorage::new(test.db.clone());
        let options = EngineOptions {
            secret: "a secret of at least thirty-two characters".into(),
            ..Default::default()
        };
        let plugins = [admin(AdminOptions::default())];
        let engine = Engine::builder(options).plugins(plugins).build(storage.clone()).unwrap();
        storage.create_tables(engine.schema()).await.unwrap();
        fill(&test.db, users).await;
        let table = engine.schema().table("user").unwrap();
        for (question, find, values) in questions() {
            measure(name, question, &storage, table, &find, &values).await;
        }
        counted(name, "how many there are", &storage, table, &Filter::all()).await;
        let beginning = any(&["email"], Comparison::StartsWith, "person4242");
        counted(name, "how many addresses begin so", &storage, table, &beginning).await;
        println!("memory\t{name}\t{}", memory());
        test.db.close().await;
    }
}

/// What is asked, and the values of its statement in order.
fn questions() -> Vec<(&'static str, Find, Vec<String>)> {
    use Comparison::{Contains, StartsWith};
    let page = |field: &'static str, direction, offset: u32| {
        let find = Find::new(Filter::all()).order(field, direction).limit(100).offset(offset);
        let find = if field == "email" { find } else { find.then_by("id") };
        (find, vec!["100".into(), offset.to_string()])
    };
    let search = |fields: &[&'static str], comparison, text: &str, values: &[&str]| {
        let find = Find::new(any(fields, comparison, text)).limit(100);
        let values = values.iter().map(ToString::to_string).chain(["100".into(), "0".into()]).collect();
        // As the list does without a wish.
        let find = match comparison == StartsWith && fields == ["email"] {
            true => find.order("email", Direction::Ascending),
            false => find.order("createdAt", Direction::Ascending).then_by("id"),
        };
        (find, values)
    };
    // The page of admins shows 25 and asks for one more.
    let first_page = |filter, values: &[&str]| {
        let find = Find::new(filter).order("createdAt", Direction::Descending).then_by("id").limit(26);
        (find, values.iter().map(ToString::to_string).chain(["26".into(), "0".into()]).collect())
    };
    let (up, down) = (Direction::Ascending, Direction::Descending);
    [
        ("the first page", page("createdAt", up, 0)),
        ("page 500", page("createdAt", up, 49_900)),
        ("page 500, newest first", page("createdAt", down, 49_900)),
        ("page 500 by name", page("name", up, 49_900)),
        ("page 500 by name, backwards", page("name", down, 49_900)),
        ("page 500 by address", page("email", up, 49_900)),
        ("addresses that begin so", search(&["email"], StartsWith, "Person4242", &["'person4242%'"])),
        ("addresses that all begin so", search(&["email"], StartsWith, "person", &["'person%'"])),
        (
            "addresses or names that begin so",
            search(
                &["email", "name"],
                StartsWith,
                "ada lovelace 4",
                &["'ada lovelace 4%'", "'ada lovelace 4%'"],
            ),
        ),
        (
            "one who begins so, newest first",
            first_page(
                any(&["email", "name"], StartsWith, "ada lovelace 4242"),
                &["'ada lovelace 4242%'"; 2],
            ),
        ),
        (
            "many who begin so, newest first",
            first_page(any(&["email", "name"], StartsWith, "ada"), &["'ada%'"; 2]),
        ),
        ("addresses with this in them", search(&["email"], Contains, "4242", &["'%4242%'"])),
        ("addresses with what none has", search(&["email"], Contains, "nobody", &["'%nobody%'"])),
    ]
    .into_iter()
    .map(|(question, (find, values))| (question, find, values))
    .collect()
}

fn any(fields: &[&'static str], comparison: Comparison, text: &str) -> Filter {
    Filter::all().and_any(fields.iter().map(|field| Condition::new(*field, comparison, text)))
}

async fn measure(
    engine: &str,
    question: &str,
    storage: &SqlStorage,
    table: &Table,
    find: &Find,
    values: &[String],
) {
    let statement = storage.statement(table, find).unwrap();
    println!("\n{engine}: {question}\n  {statement}");
    for line in plan(&storage.database(), &statement, values).await {
        println!("  | {line}");
    }
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        storage.find(table, find).await.unwrap();
        times.push(begin.elapsed().as_secs_f64() * 1000.0);
    }
    tell(engine, question, times);
}

async fn counted(engine: &str, question: &str, storage: &SqlStorage, table: &Table, filter: &Filter) {
    let mut times = Vec::new();
    for _ in 0..ROUNDS {
        let begin = Instant::now();
        storage.count(table, filter).await.unwrap();
        times.push(begin.elapsed().as_secs_f64() * 1000.0);
    }
    tell(engine, question, times);
}

fn tell(engine: &str, question: &str, mut times: Vec<f64>) {
    times.sort_by(f64::total_cmp);
    println!("=\t{engine}\t{question}\t{:.2}\t{:.2}", times[0], times[times.len() / 2]);
}

/// What the database says of a statement.
async fn plan(database: &Database, statement: &str, values: &[String]) -> Vec<String> {
    if database.driver() == Driver::Postgres {
        // It runs the statement, so that it wants the values.
        let mut sql = statement.to_owned();
        for (index, value) in values.iter().enumerate().rev() {
            sql = sql.replace(&format!("${}", index + 1), value);
        }
        let rows = database.raw(&format!("EXPLAIN (ANALYZE, BUFFERS) {sql}"), []).await.unwrap();
        return rows.iter().map(|row| row.get("QUERY PLAN").unwrap()).collect();
    }
    // It plans without them, as it does for the engine.
    let unknown = vec![housekey_database::Value::Null; statement.matches('?').count()];
    let rows = database.raw(&format!("EXPLAIN QUERY PLAN {statement}"), unknown).await.unwrap();
    rows.iter().map(|row| row.get("detail").unwrap()).collect()
}

/// Makes the users, in one statement.
async fn fill(database: &Database, users: u32) {
    let (numbers, moment, hash, flag) = match database.driver() {
        Driver::Postgres => (
            format!("generate_series(1, {users}) AS numbers(i)"),
            "timestamptz '2024-01-01' + i * interval '1 second'",
            "md5(i::text)",
            "true",
        ),
        _ => (
            format!(
                "(WITH RECURSIVE numbers(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM numbers WHERE i < {users}) SELECT i FROM \
                 numbers)"
            ),
            "strftime('%Y-%m-%dT%H:%M:%S.000Z', 1704067200 + i, 'unixepoch')",
            "printf('%08x%08x%08x%08x', (i * 2654435761) % 4294967296, i, i, i)",
            "1",
        ),
    };
    let pick = |words: &[&str], by: usize| {
        let arms: Vec<_> =
            words.iter().enumerate().map(|(index, word)| format!("WHEN {index} THEN '{word}'")).collect();
        format!("CASE (i / {by}) % {} {} END", words.len(), arms.join(" "))
    };
    let first = pick(&["Ada", "Bob", "Carol", "Dave", "Eve", "Frank", "Grace", "Heidi"], 1);
    let last = pick(&["Lovelace", "Smith", "Jones", "Miller", "Weber", "Novak", "Silva"], 8);
    let sql = format!(
        "INSERT INTO \"user\" (id, name, email, \"emailVerified\", \"createdAt\", \"updatedAt\", role, banned) SELECT {hash}, {first} \
         || ' ' || {last} || ' ' || i, 'person' || i || '@example' || (i % 100) || '.com', {flag}, {moment}, {moment}, 'user', NOT \
         {flag} FROM {numbers}"
    );
    database.execute_raw(&sql, []).await.unwrap();
    let more: &[&str] = match database.driver() {
        Driver::Postgres => &["VACUUM ANALYZE \"user\""],
        _ => &["ANALYZE"],
    };
    for sql in more {
        database.execute_raw(sql, []).await.unwrap();
    }
}

/// The most that this process has had in memory, in MiB.
fn memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|peak| peak.trim().trim_end_matches(" kB").parse::<u64>().ok()).unwrap_or(0) / 1024
}

//! What every storage must do, as a check that an implementation runs in its own tests.
//!
//! Create the tables of [`schema`] (empty), then call [`check`].
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use housekey_engine::storage::{MemoryStorage, conformance};
//!
//! let schema = conformance::schema().unwrap();
//! conformance::check(&MemoryStorage::new(), &schema).await.unwrap();
//! # });
//! ```

use std::fmt;

use time::macros::datetime;

use super::{Comparison, Condition, Direction, Filter, Find, Storage, StorageError, Write, WriteAction};
use crate::Record;
use crate::options::{EngineOptions, RateLimitStorage};
use crate::record::Value;
use crate::schema::{Column, ColumnKind, Schema, SchemaContribution, SchemaError, Table, build};

/// What a storage did otherwise than it must.
#[derive(Debug)]
pub struct Violation(String);

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Violation {}

impl From<StorageError> for Violation {
    fn from(error: StorageError) -> Self {
        Self(format!("a call that must succeed failed: {error}"))
    }
}

type Outcome = Result<(), Violation>;

/// The tables that [`check`] uses: the engine's own, and one with a column of every kind.
pub fn schema() -> Result<Schema, SchemaError> {
    let every_kind = Table::new("everyKind")
        .column_with(Column::text("text").nullable())
        .column_with(Column::boolean("flag").nullable())
        .column_with(Column::integer("number").nullable())
        .column_with(Column::new("big", ColumnKind::BigInteger).nullable())
        .column_with(Column::date("moment").nullable())
        .column_with(Column::new("json", ColumnKind::Json).nullable());
    let every_kind = SchemaContribution::new().table(every_kind);
    let mut options = EngineOptions::default();
    options.rate_limit.storage = RateLimitStorage::Database;
    build(&options, [("conformance", &every_kind)].into_iter())
}

/// Runs every check. The tables of `schema` must exist and be empty.
pub async fn check(storage: &dyn Storage, schema: &Schema) -> Outcome {
    let table =
        |key: &str| schema.table(key).ok_or_else(|| Violation(format!("the schema has no table {key}")));
    let (user, session, account) = (table("user")?, table("session")?, table("account")?);
    every_kind_of_value_comes_back(storage, table("everyKind")?).await?;
    rows_are_found_sorted_and_counted(storage, table("verification")?).await?;
    texts_are_searched(storage, table("everyKind")?).await?;
    unique_rules_hold(storage, user, account).await?;
    a_session_comes_with_its_user(storage, session, user).await?;
    changes_say_how_many_rows_they_met(storage, table("rateLimit")?).await?;
    numbers_are_added_to_while_a_condition_holds(storage, table("everyKind")?).await?;
    a_transaction_is_all_or_nothing(storage, table("verification")?).await?;
    writes_together_are_all_or_nothing(storage, table("verification")?).await
}

async fn every_kind_of_value_comes_back(storage: &dyn Storage, table: &Table) -> Outcome {
    let full = Record::new()
        .with("id", "full")
        .with("text", "Zoë 'quotes' \"and\" \u{1f511}\n")
        .with("flag", true)
        .with("number", -5_i64)
        .with("big", 1_893_456_000_123_i64)
        .with("moment", datetime!(2026-02-03 04:05:06.789 UTC))
        .with("json", serde_json::json!({ "nested": [1, null, "two"] }));
    let empty =
        full.iter().fold(Record::new(), |record, (field, _)| record.with(field.to_owned(), Value::Null));
    for record in [full, empty.with("id", "empty")] {
        storage.create(table, &record).await?;
        let id = record.text("id").unwrap_or_default();
        let found = storage.find_one(table, &Filter::by("id", id)).await?;
        let found = found.ok_or_else(|| Violation("a row that was created is not found".into()))?;
        for (field, value) in record.iter() {
            let back = found.get(field).unwrap_or(&Value::Null);
            expect(back == value, || format!("{field} was written as {value:?} and read as {back:?}"))?;
        }
    }
    let counted = storage.increment(table, &Filter::by("id", "empty"), "number", 1).await?;
    expect(counted == Some(1), || format!("an empty number and 1 are 1, not {counted:?}"))?;
    let is_empty = storage.count(table, &Filter::by("text", Value::Null)).await?;
    expect(is_empty == 1, || "a condition on an empty field must find the row that is empty".into())?;
    let is_not = storage.count(table, &Filter::all().and("text", Comparison::NotEqual, "other")).await?;
    expect(is_not == 2, || "an empty field is not equal to a text".into())
}

async fn rows_are_found_sorted_and_counted(storage: &dyn Storage, table: &Table) -> Outcome {
    for number in 1..=5 {
        storage.create(table, &verification(number, "sorted")).await?;
    }
    let later = Filter::by("identifier", "sorted").and("expiresAt", Comparison::Greater, moment(2));
    let find = Find::new(later.clone()).order("expiresAt", Direction::Descending).limit(2);
    let values = values(&storage.find(table, &find).await?);
    expect(values == ["5", "4"], || format!("the two latest rows are 5 and 4, not {values:?}"))?;
    let find = find.offset(2);
    let rest = self::values(&storage.find(table, &find).await?);
    expect(rest == ["3"], || format!("after skipping two the third is left, not {rest:?}"))?;
    let count = storage.count(table, &later).await?;
    expect(count == 3, || format!("three rows are later than the second, not {count}"))?;
    let deleted =
        storage.delete(table, &Filter::all().and("expiresAt", Comparison::LessOrEqual, moment(2))).await?;
    expect(deleted == 2, || format!("two rows were to be deleted, not {deleted}"))?;
    let left = storage.count(table, &Filter::by("identifier", "sorted")).await?;
    expect(left == 3, || format!("three rows are left, not {left}"))?;
    storage.delete(table, &Filter::by("identifier", "sorted")).await?;
    Ok(())
}

async fn unique_rules_hold(storage: &dyn Storage, users: &Table, accounts: &Table) -> Outcome {
    storage.create(users, &user("u1", "ada@example.com")).await?;
    storage.create(users, &user("u2", "bob@example.com")).await?;
    expect_conflict(storage.create(users, &user("u3", "ada@example.com")).await, "the same address twice")?;
    expect_conflict(storage.create(users, &user("u1", "new@example.com")).await, "the same id twice")?;
    let change = Record::new().with("email", "ada@example.com");
    let taken = storage.update(users, &Filter::by("id", "u2"), &change).await.map(drop);
    expect_conflict(taken, "changing an address to one that is taken")?;
    storage.create(accounts, &account("a1", Some("issuer"), "1")).await?;
    storage.create(accounts, &account("a2", Some("issuer"), "2")).await?;
    expect_conflict(
        storage.create(accounts, &account("a3", Some("issuer"), "1")).await,
        "the same pair twice",
    )?;
    storage.create(accounts, &account("a4", None, "1")).await?;
    storage.create(accounts, &account("a5", None, "1")).await?;
    Ok(())
}

async fn a_session_comes_with_its_user(storage: &dyn Storage, sessions: &Table, users: &Table) -> Outcome {
    let session = Record::new()
        .with("id", "s1")
        .with("expiresAt", moment(9))
        .with("token", "token-1")
        .with("createdAt", moment(1))
        .with("updatedAt", moment(1))
        .with("ipAddress", "")
        .with("userAgent", Value::Null)
        .with("userId", "u1");
    storage.create(sessions, &session).await?;
    let found = storage.find_with_parent(sessions, &Filter::by("token", "token-1"), "userId", users).await?;
    let Some((session, user)) = found else {
        return Err(Violation("a session was not found with its user".into()));
    };
    expect(session.text("id") == Some("s1"), || format!("the session is wrong: {session:?}"))?;
    expect(user.text("email") == Some("ada@example.com"), || format!("the user is wrong: {user:?}"))?;
    let none = storage.find_with_parent(sessions, &Filter::by("token", "token-2"), "userId", users).await?;
    expect(none.is_none(), || "an unknown token found a session".into())
}

async fn changes_say_how_many_rows_they_met(storage: &dyn Storage, table: &Table) -> Outcome {
    let counter =
        Record::new().with("id", "c1").with("key", "k").with("count", 1_i64).with("lastRequest", 100_i64);
    storage.create(table, &counter).await?;
    let swap = Record::new().with("count", 1_i64).with("lastRequest", 200_i64);
    let old = Filter::by("key", "k").and_by("lastRequest", 100_i64);
    let first = storage.update(table, &old, &swap).await?;
    let second = storage.update(table, &old, &swap).await?;
    expect((first, second) == (1, 0), || {
        format!("a swap succeeds once: 1 then 0, not {first} then {second}")
    })?;
    let current = Filter::by("key", "k").and_by("lastRequest", 200_i64);
    // What only makes sure that a row is there writes it as it is.
    let unchanged = storage.update(table, &current, &swap).await?;
    expect(unchanged == 1, || format!("a row that stays as it is was met, once, not {unchanged} times"))?;
    let count = storage.increment(table, &current, "count", 2).await?;
    expect(count == Some(3), || format!("1 and 2 are 3, not {count:?}"))?;
    let missed = storage.increment(table, &old, "count", 1).await?;
    expect(missed.is_none(), || format!("counting a row that does not match gives nothing, not {missed:?}"))?;
    let taken = storage.delete(table, &current).await?;
    let again = storage.delete(table, &current).await?;
    expect((taken, again) == (1, 0), || format!("a row is taken once, not {taken} then {again}"))
}

async fn numbers_are_added_to_while_a_condition_holds(storage: &dyn Storage, table: &Table) -> Outcome {
    let row = Record::new().with("id", "adjusted").with("number", 2_i64).with("text", "before");
    storage.create(table, &row).await?;
    let left = Filter::by("id", "adjusted").and("number", Comparison::Greater, 0_i64);
    let set = Record::new().with("text", "after").with("moment", moment(1));
    let mut met = Vec::new();
    for _ in 0..3 {
        met.push(storage.adjust(table, &left, &[("number", -1), ("big", 5)], &set).await?);
    }
    same("two are there to be taken", &met, &vec![1, 1, 0])?;
    let either = Filter::by("id", "adjusted").and_any([
        Condition::new("json", Comparison::Equal, Value::Null),
        Condition::new("number", Comparison::Greater, 5_i64),
    ]);
    same("one condition of two", &storage.adjust(table, &either, &[("big", 1)], &Record::new()).await?, &1)?;
    let found = storage.find_one(table, &Filter::by("id", "adjusted")).await?.unwrap_or_default();
    let found =
        ["number", "big", "text", "moment"].map(|field| found.get(field).cloned().unwrap_or_default());
    let expected = [Value::Integer(0), Value::Integer(11), "after".into(), moment(1).into()];
    same("what was counted and set", &found, &expected)?;
    same("its end", &storage.delete(table, &Filter::by("id", "adjusted")).await?, &1)
}

async fn a_transaction_is_all_or_nothing(storage: &dyn Storage, table: &Table) -> Outcome {
    let mine = Filter::by("identifier", "transaction");
    let transaction = storage.begin().await?;
    transaction.create(table, &verification(1, "transaction")).await?;
    let seen = transaction.count(table, &mine).await?;
    expect(seen == 1, || "a transaction sees its own writes".into())?;
    drop(transaction);
    let left = storage.count(table, &mine).await?;
    expect(left == 0, || "a transaction that was dropped left a row behind".into())?;
    let transaction = storage.begin().await?;
    transaction.create(table, &verification(2, "transaction")).await?;
    transaction.commit().await?;
    let left = storage.count(table, &mine).await?;
    expect(left == 1, || "a committed row is not there".into())
}

async fn writes_together_are_all_or_nothing(storage: &dyn Storage, table: &Table) -> Outcome {
    let row = |number, value: &str| verification(number, "together").with("value", value);
    let (first, second, third) = (row(11, "one"), row(12, "two"), row(13, "three"));
    let (mine, changed) = (Filter::by("identifier", "together"), Record::new().with("value", "changed"));
    let (of_first, like_second) =
        (Filter::by("value", "one"), Filter::all().and("value", Comparison::Contains, "TW"));
    let (create, delete) = (WriteAction::Create, WriteAction::Delete);
    let any = |action| Write { table, action, expecting: false };
    let one = |action| Write { table, action, expecting: true };
    let left = async || -> Result<Vec<String>, StorageError> {
        let rows = storage.find(table, &Find::new(mine.clone()).order("value", Direction::Ascending)).await?;
        Ok(values(&rows))
    };

    let update = WriteAction::Update(&of_first, &changed);
    let done = storage.write_together(&[any(create(&first)), any(create(&second)), one(update)]).await?;
    expect(done, || "writes that meet what they must are refused".into())?;
    same("what was written together", &left().await?, &vec!["changed".to_owned(), "two".to_owned()])?;

    for (what, writes) in [
        ("none of", [any(create(&third)), one(delete(&of_first))]),
        ("more than", [any(create(&third)), one(delete(&mine))]),
    ] {
        let done = storage.write_together(&writes).await?;
        expect(!done, || format!("a write that met {what} the one row that it must is taken for done"))?;
    }
    let twice = storage.write_together(&[any(create(&third)), any(create(&first))]).await;
    expect_conflict(twice.map(drop), "a row that is there already")?;
    same(
        "what is left of writes that failed",
        &left().await?,
        &vec!["changed".to_owned(), "two".to_owned()],
    )?;

    // Also where texts are searched and where nothing is to be changed.
    let nothing = Record::new();
    let writes = [any(WriteAction::Update(&mine, &nothing)), one(delete(&like_second)), any(create(&third))];
    expect(storage.write_together(&writes).await?, || "a search among writes is refused".into())?;
    same("what is left at last", &left().await?, &vec!["changed".to_owned(), "three".to_owned()])
}

fn expect(holds: bool, otherwise: impl FnOnce() -> String) -> Outcome {
    if holds { Ok(()) } else { Err(Violation(otherwise())) }
}

fn same<T: PartialEq + fmt::Debug>(what: &str, found: &T, expected: &T) -> Outcome {
    expect(found == expected, || format!("{what}: {expected:?} was expected, and {found:?} found"))
}

fn expect_conflict(result: Result<(), StorageError>, what: &str) -> Outcome {
    match result {
        Err(error) if error.is_conflict() => Ok(()),
        Err(error) => Err(Violation(format!("{what} must be a conflict, not another error: {error}"))),
        Ok(()) => Err(Violation(format!("{what} must be a conflict, and was accepted"))),
    }
}

async fn texts_are_searched(storage: &dyn Storage, table: &Table) -> Outcome {
    let texts = [Some("Ada 100%"), Some("ada_100"), Some("back\\slash"), Some("adaX100"), Some("[a]"), None];
    for (number, text) in texts.into_iter().enumerate() {
        let row =
            Record::new().with("id", format!("search-{number}")).with("text", text).with("number", 77_i64);
        storage.create(table, &row).await?;
    }
    let among = || Filter::by("number", 77_i64);
    for (comparison, value, expected) in [
        (Comparison::Contains, "ada", vec!["search-0", "search-1", "search-3"]),
        (Comparison::Contains, "ADA", vec!["search-0", "search-1", "search-3"]),
        (Comparison::Contains, "%", vec!["search-0"]),
        (Comparison::Contains, "a_1", vec!["search-1"]),
        (Comparison::Contains, "\\", vec!["search-2"]),
        (Comparison::Contains, "\\_", vec![]),
        (Comparison::Contains, "[a]", vec!["search-4"]),
        (Comparison::Contains, "' OR '1'='1", vec![]),
        (Comparison::StartsWith, "ada_", vec!["search-1"]),
        (Comparison::StartsWith, "00", vec![]),
        (Comparison::EndsWith, "100", vec!["search-1", "search-3"]),
        (Comparison::EndsWith, "%", vec!["search-0"]),
    ] {
        let filter = among().and("text", comparison, value);
        let find = Find::new(filter.clone()).order("id", Direction::Ascending);
        let found = ids(&storage.find(table, &find).await?);
        same(
            &format!("{comparison:?} {value:?}"),
            &found,
            &expected.iter().map(ToString::to_string).collect(),
        )?;
        same("their count", &storage.count(table, &filter).await?, &(expected.len() as u64))?;
    }
    let either = among().and_any([
        Condition::new("text", Comparison::StartsWith, "back"),
        Condition::new("id", Comparison::Equal, "search-5"),
    ]);
    let find = Find::new(either.clone()).order("number", Direction::Descending).then_by("id");
    same(
        "one of two",
        &ids(&storage.find(table, &find).await?),
        &vec!["search-5".into(), "search-2".into()],
    )?;
    same("nothing of none", &storage.count(table, &among().and_any([])).await?, &0)?;
    let blank = Record::new().with("text", "found");
    same("changed", &storage.update(table, &either, &blank).await?, &2)?;
    same("deleted", &storage.delete(table, &either.and("text", Comparison::Contains, "FOUND")).await?, &1)?;
    storage.delete(table, &among()).await?;
    Ok(())
}

fn ids(rows: &[Record]) -> Vec<String> {
    rows.iter().map(|row| row.text("id").unwrap_or_default().to_owned()).collect()
}

fn moment(second: i64) -> time::OffsetDateTime {
    datetime!(2026-01-01 00:00:00 UTC) + time::Duration::seconds(second)
}

fn verification(number: i64, identifier: &str) -> Record {
    Record::new()
        .with("id", format!("{identifier}-{number}"))
        .with("identifier", identifier)
        .with("value", number.to_string())
        .with("expiresAt", moment(number))
        .with("createdAt", moment(0))
        .with("updatedAt", moment(0))
}

fn values(rows: &[Record]) -> Vec<String> {
    rows.iter().map(|row| row.text("value").unwrap_or_default().to_owned()).collect()
}

fn user(id: &str, email: &str) -> Record {
    Record::new()
        .with("id", id)
        .with("name", "Ada")
        .with("email", email)
        .with("emailVerified", false)
        .with("image", Value::Null)
        .with("createdAt", moment(0))
        .with("updatedAt", moment(0))
}

fn account(id: &str, issuer: Option<&str>, account_id: &str) -> Record {
    Record::new()
        .with("id", id)
        .with("issuer", issuer)
        .with("accountId", account_id)
        .with("providerId", "credential")
        .with("userId", "u1")
        .with("createdAt", moment(0))
        .with("updatedAt", moment(0))
}

//! Days, exact numbers, UUIDs and enums as columns, on every engine.

use housekey_database::testing::TestDatabase;
use housekey_database::{
    ColumnType, Database, DatabaseError, Date, DbEnum, Decimal, Driver, FromRow, Model, Schema, Uuid, Value,
    on_every_engine, record,
};
use time::macros::date;

on_every_engine!(
    days_exact_numbers_uuids_and_enums_come_back_as_they_went_in,
    days_and_exact_numbers_are_compared_and_sorted_by_what_they_mean,
    an_exact_number_is_never_cut_off_before_the_point,
    a_key_can_be_a_uuid_that_create_makes,
    columns_may_be_empty_and_have_defaults,
    a_word_that_the_enum_does_not_have_is_refused,
    the_engine_says_what_the_columns_are,
    lists_go_on_after_days_exact_numbers_and_uuids,
    an_exact_number_survives_every_change_of_its_table,
);

#[derive(Clone, Copy, Debug, DbEnum, PartialEq)]
#[row(crate = "housekey_database")]
enum Condition {
    New,
    SlightlyWorn,
    #[row(rename = "gone")]
    Lost,
}

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "copies")]
struct Copy {
    id: Uuid,
    price: Decimal,
    bought_on: Date,
    sold_on: Option<Date>,
    condition: Condition,
}

async fn copies(db: &Database) {
    db.schema(|schema| {
        schema.create("copies", |table| {
            table.uuid("id").primary();
            table.decimal("price", 10, 2).index();
            table.date("bought_on");
            table.date("sold_on").nullable();
            table.string("condition", 20).default(Condition::New);
        });
    })
    .await
    .unwrap();
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

async fn copy(db: &Database, price: &str, bought_on: Date) -> Copy {
    let record = record! { Copy::price => decimal(price), Copy::bought_on => bought_on };
    Copy::on(db).create(record).await.unwrap()
}

async fn days_exact_numbers_uuids_and_enums_come_back_as_they_went_in(test: TestDatabase) {
    copies(&test.db).await;
    let copies = Copy::on(&test.db);
    let days = [date!(0001 - 01 - 01), date!(1582 - 10 - 10), date!(2024 - 02 - 29), date!(9999 - 12 - 31)];
    let prices = ["19.90", "-0.01", "99999999.99", "0.10"];
    let ids = [Uuid::nil(), Uuid::max(), Uuid::new_v4(), Uuid::now_v7()];
    for ((day, price), id) in days.into_iter().zip(prices).zip(ids) {
        let made = Copy {
            id,
            price: decimal(price),
            bought_on: day,
            sold_on: Some(day),
            condition: Condition::SlightlyWorn,
        };
        let read = copies.create(made.record()).await.unwrap();
        assert_eq!(read, made);
        assert_eq!(copies.find(id).await.unwrap(), Some(made));
        // With as many places as the column has, on every engine.
        assert_eq!(read.price.to_string(), price);
    }
    let mut last = copies.find(ids[3]).await.unwrap().unwrap();
    last.price = decimal("5");
    last.sold_on = None;
    last.condition = Condition::Lost;
    copies.save(&mut last).await.unwrap();
    let read = copies.find(ids[3]).await.unwrap().unwrap();
    assert_eq!(read, last);
    assert_eq!(read.price.to_string(), "5.00");
    let words: Vec<String> = test.db.table("copies").where_eq("id", ids[3]).pluck("condition").await.unwrap();
    assert_eq!(words, ["gone"]);
    assert_eq!(copies.query().where_in(Copy::id, ids).count().await.unwrap(), 4);
    assert_eq!(copies.query().where_eq(Copy::condition, Condition::SlightlyWorn).count().await.unwrap(), 3);
}

async fn days_and_exact_numbers_are_compared_and_sorted_by_what_they_mean(test: TestDatabase) {
    copies(&test.db).await;
    for (price, day) in [
        ("9.90", date!(2026 - 01 - 31)),
        ("10", date!(2025 - 12 - 31)),
        ("-3", date!(2026 - 02 - 01)),
        ("100", date!(2026 - 01 - 30)),
    ] {
        copy(&test.db, price, day).await;
    }
    let query = || Copy::on(&test.db).query();
    let prices: Vec<Decimal> = query().order_by(Copy::price).pluck(Copy::price).await.unwrap();
    assert_eq!(prices, ["-3", "9.9", "10", "100"].map(decimal));
    assert_eq!(query().where_(Copy::price, ">=", decimal("9.9")).count().await.unwrap(), 3);
    assert_eq!(
        query().where_(Copy::price, "<", 10).count().await.unwrap(),
        2,
        "compared with a whole number"
    );
    assert_eq!(query().where_eq(Copy::price, decimal("9.900")).count().await.unwrap(), 1);
    assert_eq!(query().where_between(Copy::price, decimal("9.95"), decimal("100")).count().await.unwrap(), 2);
    // The same words with values of other types, again and again: PostgreSQL keeps statements with the types of the first one.
    for _ in 0..3 {
        for below in [Value::Decimal(decimal("10")), Value::Int(10), Value::Real(10.0)] {
            let query = query().where_(Copy::price, "<", below);
            assert_eq!(query.count().await.unwrap(), 2);
        }
    }
    let january = query().where_between(Copy::bought_on, date!(2026 - 01 - 01), date!(2026 - 01 - 31));
    let days: Vec<Date> = january.order_by_desc(Copy::bought_on).pluck(Copy::bought_on).await.unwrap();
    assert_eq!(days, [date!(2026 - 01 - 31), date!(2026 - 01 - 30)]);
}

async fn an_exact_number_is_never_cut_off_before_the_point(test: TestDatabase) {
    copies(&test.db).await;
    let copies = Copy::on(&test.db);
    let with =
        |price: &str| record! { Copy::price => decimal(price), Copy::bought_on => date!(2026 - 01 - 31) };
    assert!(copies.create(with("100000000")).await.is_err(), "nine digits where there are eight");
    // More places than the column has: rounded by the servers, refused by SQLite.
    match copies.create(with("1.999")).await {
        Ok(copy) => assert_eq!((copy.price, test.db.driver() != Driver::Sqlite), (decimal("2"), true)),
        Err(error) => {
            assert_eq!(test.db.driver(), Driver::Sqlite);
            assert!(DatabaseError::of(&error).is_some(), "{error}");
        }
    }
    let mut schema = Schema::new(test.db.driver());
    schema.create("a", |table| {
        table.decimal("b", 29, 2);
    });
    let error = schema.to_sql().unwrap_err().to_string();
    assert!(error.contains("1 to 28 digits"), "{error}");
}

async fn a_key_can_be_a_uuid_that_create_makes(test: TestDatabase) {
    copies(&test.db).await;
    let first = copy(&test.db, "1", date!(2026 - 01 - 31)).await;
    let second = copy(&test.db, "2", date!(2026 - 01 - 31)).await;
    assert_eq!(first.id.get_version_num(), 7);
    let copies = Copy::on(&test.db);
    let ids: Vec<Uuid> = copies.query().order_by(Copy::id).pluck(Copy::id).await.unwrap();
    assert_eq!(ids, [first.id, second.id], "later ones come later");
    copies.delete(&first).await.unwrap();
    assert_eq!(copies.find(first.id).await.unwrap(), None);
    assert_eq!(Copy::key_from_text(&second.id.to_string()), Some(second.id.into()));
    assert_eq!(Copy::key_from_text("1 or 1=1"), None);
}

async fn columns_may_be_empty_and_have_defaults(test: TestDatabase) {
    let db = &test.db;
    let id = Uuid::new_v4();
    db.schema(|schema| {
        schema.create("defaults", |table| {
            table.id();
            table.decimal("price", 6, 2).default(decimal("12.50"));
            table.decimal("fee", 6, 2).default(3);
            table.decimal("none", 6, 2).nullable();
            table.date("day").default(date!(2026 - 01 - 31));
            table.date("today").default_now();
            table.uuid("owner").default(id);
        });
    })
    .await
    .unwrap();
    db.table("defaults").insert(record! { "none" => None::<Decimal> }).await.unwrap();
    let row = db.table("defaults").rows().await.unwrap().remove(0);
    assert_eq!(row.get::<Decimal>("price").unwrap(), decimal("12.5"));
    assert_eq!(row.get::<Decimal>("fee").unwrap(), decimal("3"));
    assert_eq!(row.get::<Option<Decimal>>("none").unwrap(), None);
    assert_eq!(row.get::<Date>("day").unwrap(), date!(2026 - 01 - 31));
    assert!(row.get::<Date>("today").unwrap() > date!(2026 - 01 - 01));
    assert_eq!(row.get::<Uuid>("owner").unwrap(), id);
}

async fn a_word_that_the_enum_does_not_have_is_refused(test: TestDatabase) {
    copies(&test.db).await;
    copy(&test.db, "1", date!(2026 - 01 - 31)).await;
    test.db.table("copies").update(record! { "condition" => "hunter2" }).await.unwrap();
    let error = Copy::on(&test.db).all().await.unwrap_err();
    let said = format!("{error:?}");
    assert!(said.contains("one of `new`, `slightly_worn`, `gone`"), "{said}");
    assert!(!said.contains("hunter2"), "{said}");
    assert_eq!(Condition::ALL.map_words(), ["new", "slightly_worn", "gone"]);
}

trait Words {
    fn map_words(&self) -> Vec<&'static str>;
}

impl<E: DbEnum> Words for [E] {
    fn map_words(&self) -> Vec<&'static str> {
        self.iter().map(DbEnum::as_str).collect()
    }
}

async fn the_engine_says_what_the_columns_are(test: TestDatabase) {
    copies(&test.db).await;
    let table = test.db.table_info("copies").await.unwrap().unwrap();
    let kinds: Vec<&ColumnType> = table.columns.iter().map(|column| &column.kind).collect();
    assert_eq!(
        kinds,
        [
            &ColumnType::Uuid,
            &ColumnType::Decimal(10, 2),
            &ColumnType::Date,
            &ColumnType::Date,
            &ColumnType::String(20)
        ]
    );
}

async fn lists_go_on_after_days_exact_numbers_and_uuids(test: TestDatabase) {
    copies(&test.db).await;
    for price in ["9.5", "10", "10", "-1"] {
        copy(&test.db, price, date!(2026 - 01 - 31)).await;
    }
    let query = Copy::on(&test.db).query().order_by(Copy::price).order_by(Copy::bought_on);
    let (mut seen, mut after) = (Vec::new(), None);
    loop {
        let page = query.cursor_paginate(after.as_deref(), 1).await.unwrap();
        seen.extend(page.items.into_iter().map(|copy| copy.price));
        after = page.next;
        if after.is_none() {
            break;
        }
        assert!(seen.len() < 5, "the list ends: {seen:?}");
    }
    assert_eq!(seen, ["-1", "9.5", "10", "10"].map(decimal));
}

async fn an_exact_number_survives_every_change_of_its_table(test: TestDatabase) {
    let db = &test.db;
    copies(db).await;
    copy(db, "9.90", date!(2026 - 01 - 31)).await;
    copy(db, "10", date!(2026 - 01 - 31)).await;
    db.schema(|schema| {
        schema.table("copies", |table| {
            table.rename_column("price", "cost");
            table.decimal("fee", 4, 2).default(decimal("0.25"));
            // SQLite copies the table for this one.
            table.string("condition", 40).nullable().change();
        });
    })
    .await
    .unwrap();
    let costs: Vec<Decimal> = db.table("copies").order_by("cost").pluck("cost").await.unwrap();
    assert_eq!(costs, ["9.9", "10"].map(decimal), "still in the order of numbers");
    let fees: Vec<Decimal> = db.table("copies").pluck("fee").await.unwrap();
    assert_eq!(fees, [decimal("0.25"), decimal("0.25")]);
    let copies = db.table("copies");
    assert!(copies.update(record! { "cost" => decimal("100000000") }).await.is_err(), "still with its limit");
    db.schema(|schema| {
        schema.table("copies", |table| {
            table.drop_column("fee");
            table.decimal("cost", 12, 3).change();
        });
    })
    .await
    .unwrap();
    copies.update(record! { "cost" => decimal("100000000.125") }).await.unwrap();
    let costs: Vec<Decimal> = copies.pluck("cost").await.unwrap();
    assert_eq!(costs, [decimal("100000000.125"), decimal("100000000.125")]);
}

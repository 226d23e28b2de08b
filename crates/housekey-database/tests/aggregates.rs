//! Sums, groups and queries in conditions, on every engine.

use housekey_database::testing::TestDatabase;
use housekey_database::{Database, Date, Decimal, FromRow, Model, TenantId, on_every_engine, record};
use time::OffsetDateTime;
use time::macros::date;

on_every_engine!(
    one_number_is_made_of_all_rows,
    exact_numbers_are_added_without_rounding,
    without_rows_a_sum_is_nothing_and_the_others_are_none,
    a_limited_query_makes_its_number_of_the_rows_that_are_left,
    groups_are_added_chosen_and_sorted,
    groups_of_a_joined_model_mean_its_own_columns,
    groups_are_paged_and_counted,
    what_makes_no_sense_is_refused_with_advice,
    a_column_is_looked_for_in_another_query,
    an_empty_value_in_the_other_query_hides_no_row,
    a_column_is_compared_with_one_value_of_another_query,
    rows_are_chosen_by_whether_another_query_finds_something,
    a_query_in_a_condition_keeps_to_its_organization_and_to_rows_that_are_there,
);

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "loans")]
struct Loan {
    id: i64,
    book_id: Option<i64>,
    reader: String,
    days: i64,
    weight: f64,
    fee: Decimal,
    since: Date,
}

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "books", belongs_to_organization, soft_deletes)]
struct Book {
    id: i64,
    organization_id: String,
    title: String,
    price: Decimal,
    deleted_at: Option<OffsetDateTime>,
}

async fn tables(db: &Database) {
    db.schema(|schema| {
        schema.create("books", |table| {
            table.id();
            table.string("organization_id", 36);
            table.string("title", 50);
            table.decimal("price", 8, 2);
            table.timestamp("deleted_at").nullable();
        });
        schema.create("loans", |table| {
            table.id();
            table.big_integer("book_id").nullable();
            table.string("reader", 50);
            table.big_integer("days");
            table.real("weight");
            table.decimal("fee", 8, 2);
            table.date("since");
        });
    })
    .await
    .unwrap();
}

async fn loan(db: &Database, reader: &str, book: Option<i64>, days: i64, fee: &str) {
    let since = date!(2026 - 01 - 01).saturating_add(time::Duration::days(days));
    let record = record! {
        Loan::book_id => book, Loan::reader => reader, Loan::days => days, Loan::weight => 0.5,
        Loan::fee => decimal(fee), Loan::since => since,
    };
    Loan::on(db).create(record).await.unwrap();
}

async fn book(db: &Database, organization: &str, title: &str, price: &str) -> i64 {
    let record = record! {
        Book::organization_id => organization, Book::title => title, Book::price => decimal(price),
    };
    let book: (i64,) = db.table("books").insert_returning(record, "id").await.unwrap();
    book.0
}

/// Mary 3 loans, Ada 2, Grace 1.
async fn loans(db: &Database) {
    tables(db).await;
    for (reader, days, fee) in [
        ("Mary", 7, "0.10"),
        ("Mary", 14, "0.20"),
        ("Mary", 21, "9.60"),
        ("Ada", 28, "10.00"),
        ("Ada", 1, "0.05"),
        ("Grace", 30, "100.00"),
    ] {
        loan(db, reader, None, days, fee).await;
    }
}

fn decimal(text: &str) -> Decimal {
    text.parse().unwrap()
}

async fn one_number_is_made_of_all_rows(test: TestDatabase) {
    loans(&test.db).await;
    let query = || Loan::on(&test.db).query();
    assert_eq!(query().sum::<i64>(Loan::days).await.unwrap(), 101);
    assert_eq!(query().where_eq(Loan::reader, "Mary").sum::<i64>("days").await.unwrap(), 42);
    assert_eq!(query().avg::<f64>(Loan::days).await.unwrap().map(f64::round), Some(17.0));
    assert_eq!(query().sum::<f64>(Loan::weight).await.unwrap(), 3.0);
    assert_eq!(query().avg::<f64>(Loan::weight).await.unwrap(), Some(0.5));
    assert_eq!(query().min::<String>(Loan::reader).await.unwrap().as_deref(), Some("Ada"));
    assert_eq!(query().max::<i64>(Loan::days).await.unwrap(), Some(30));
    assert_eq!(query().min::<Date>(Loan::since).await.unwrap(), Some(date!(2026 - 01 - 02)));
    assert_eq!(query().max::<Decimal>(Loan::fee).await.unwrap(), Some(decimal("100")), "not the text 9.60");
}

async fn exact_numbers_are_added_without_rounding(test: TestDatabase) {
    tables(&test.db).await;
    for _ in 0..10 {
        loan(&test.db, "Mary", None, 1, "0.10").await;
    }
    let query = Loan::on(&test.db).query();
    assert_eq!(query.sum::<Decimal>(Loan::fee).await.unwrap(), Decimal::ONE);
    assert_eq!(query.avg::<Decimal>(Loan::fee).await.unwrap(), Some(decimal("0.1")));
    assert_eq!(query.sum::<f64>(Loan::fee).await.unwrap(), 1.0);
    // The sum of whole numbers is one, however large.
    query.update(record! { Loan::days => i64::MAX / 16 }).await.unwrap();
    assert_eq!(query.sum::<i64>(Loan::days).await.unwrap(), i64::MAX / 16 * 10);
    query.update(record! { Loan::days => i64::MAX }).await.unwrap();
    assert!(query.sum::<i64>(Loan::days).await.is_err(), "too large is an error and no other number");
}

async fn without_rows_a_sum_is_nothing_and_the_others_are_none(test: TestDatabase) {
    tables(&test.db).await;
    let query = Loan::on(&test.db).query();
    assert_eq!(query.sum::<Decimal>(Loan::fee).await.unwrap(), Decimal::ZERO);
    assert_eq!(query.avg::<f64>(Loan::days).await.unwrap(), None);
    assert_eq!(query.min::<i64>(Loan::days).await.unwrap(), None);
    assert_eq!(query.max::<Date>(Loan::since).await.unwrap(), None);
}

async fn a_limited_query_makes_its_number_of_the_rows_that_are_left(test: TestDatabase) {
    loans(&test.db).await;
    let dearest = Loan::on(&test.db).query().order_by_desc(Loan::fee).limit(2);
    assert_eq!(dearest.sum::<Decimal>(Loan::fee).await.unwrap(), decimal("110"));
    assert_eq!(dearest.min::<i64>("days").await.unwrap(), Some(28));
}

#[derive(Debug, FromRow, PartialEq)]
#[row(crate = "housekey_database")]
struct Reader {
    reader: String,
    loans: i64,
    fees: Decimal,
}

async fn groups_are_added_chosen_and_sorted(test: TestDatabase) {
    loans(&test.db).await;
    let grouped = || {
        let query = Loan::on(&test.db).query().group_by([Loan::reader]).select([Loan::reader]);
        query.select_count("loans").select_sum(Loan::fee, "fees").read_as::<Reader>()
    };
    let reader = |name: &str, loans, fees| Reader { reader: name.into(), loans, fees: decimal(fees) };
    let all = grouped().order_by("fees").get().await.unwrap();
    assert_eq!(all, [reader("Mary", 3, "9.90"), reader("Ada", 2, "10.05"), reader("Grace", 1, "100")]);
    let busy = grouped().having("loans", ">", 1).order_by_desc("loans").get().await.unwrap();
    assert_eq!(busy, [reader("Mary", 3, "9.9"), reader("Ada", 2, "10.05")]);
    // By their size, compared with an exact number and with a whole one.
    for limit in [decimal("9.95").into(), housekey_database::Value::Int(10)] {
        let good = grouped().having("fees", ">", limit).order_by("reader").get().await.unwrap();
        assert_eq!(good.len(), 2, "{good:?}");
    }
    let named = grouped().having(Loan::reader, "=", "Ada").get().await.unwrap();
    assert_eq!(named, [reader("Ada", 2, "10.05")]);
    let spans: Vec<(String, i64, i64, f64)> = test
        .db
        .table("loans")
        .group_by(["reader"])
        .select(["reader"])
        .select_min("days", "shortest")
        .select_max("days", "longest")
        .select_avg("weight", "weight")
        .having("longest", ">=", 21)
        .having("shortest", "<", 20)
        .order_by_desc("longest")
        .get()
        .await
        .unwrap();
    assert_eq!(spans, [("Ada".to_owned(), 1, 28, 0.5), ("Mary".to_owned(), 7, 21, 0.5)]);
}

async fn groups_of_a_joined_model_mean_its_own_columns(test: TestDatabase) {
    tables(&test.db).await;
    let rivers = book(&test.db, "own", "Rivers", "12").await;
    loan(&test.db, "Mary", Some(rivers), 7, "1").await;
    loan(&test.db, "Ada", Some(rivers), 7, "2").await;
    let rows: Vec<(String, Decimal)> = Loan::on(&test.db)
        .query()
        .join("books", "books.id", "book_id")
        .group_by(["books.title"])
        .select(["books.title"])
        .select_sum("fee", "fees")
        .having("fees", ">=", 3)
        .read_as::<(String, Decimal)>()
        .get()
        .await
        .unwrap();
    assert_eq!(rows, [("Rivers".to_owned(), decimal("3"))]);
    assert_eq!(
        Loan::on(&test.db).query().join("books", "books.id", "book_id").max::<i64>("id").await.unwrap(),
        Some(2)
    );
}

async fn groups_are_paged_and_counted(test: TestDatabase) {
    loans(&test.db).await;
    let grouped =
        Loan::on(&test.db).query().group_by([Loan::reader]).select([Loan::reader]).select_count("loans");
    let grouped = grouped.select_sum(Loan::fee, "fees").having("loans", "<", 3).order_by("reader");
    assert_eq!(grouped.count().await.unwrap(), 2);
    assert!(grouped.exists().await.unwrap());
    let page = grouped.read_as::<Reader>().paginate(2, 1).await.unwrap();
    assert_eq!((page.total, page.items[0].reader.as_str()), (2, "Grace"));
}

async fn what_makes_no_sense_is_refused_with_advice(test: TestDatabase) {
    loans(&test.db).await;
    let query = || Loan::on(&test.db).query();
    let said = |error: housekey_core::Error| format!("{error:?}");
    let error = said(query().group_by([Loan::reader]).sum::<i64>(Loan::days).await.unwrap_err());
    assert!(error.contains("select_sum"), "{error}");
    let error = said(query().having("days", ">", 3).get().await.unwrap_err());
    assert!(error.contains("group_by"), "{error}");
    let error = said(query().group_by(["reader"]).having("days", "~", 3).get().await.unwrap_err());
    assert!(error.contains("there is no comparison `~`"), "{error}");
    let error = said(query().where_in_query(Loan::id, query()).get().await.unwrap_err());
    assert!(error.contains("select([…])"), "{error}");
    let error =
        said(query().where_query(Loan::id, "or 1=1 --", query().select(["id"])).get().await.unwrap_err());
    assert!(error.contains("there is no comparison"), "{error}");
    assert!(query().sum::<i64>("days) from loans; drop table loans; --").await.is_err());
    assert_eq!(query().count().await.unwrap(), 6, "names are quoted, whatever they are");
    assert!(query().sum::<i64>(Loan::reader).await.is_err(), "a text is no number");
}

async fn a_column_is_looked_for_in_another_query(test: TestDatabase) {
    loans(&test.db).await;
    let query = || Loan::on(&test.db).query();
    let busy = || query().group_by([Loan::reader]).select([Loan::reader]).where_(Loan::days, "<", 20);
    let of_them = query().where_in_query(Loan::reader, busy());
    assert_eq!(of_them.count().await.unwrap(), 5);
    assert_eq!(
        query().where_not_in_query("reader", busy()).pluck::<String>("reader").await.unwrap(),
        ["Grace"]
    );
    // With a limit, which MySQL takes only further inside.
    let dearest = query().order_by_desc(Loan::fee).limit(1).select([Loan::id]);
    let dearest = query().where_in_query(Loan::id, dearest);
    assert_eq!(dearest.pluck::<String>("reader").await.unwrap(), ["Grace"]);
    // Beside other conditions, and inside of groups of them.
    let either = query().where_any(|any| any.where_in_query("reader", busy()).where_eq("days", 30));
    assert_eq!(either.where_(Loan::days, ">", 20).count().await.unwrap(), 3);
}

async fn an_empty_value_in_the_other_query_hides_no_row(test: TestDatabase) {
    tables(&test.db).await;
    let lent = book(&test.db, "own", "Rivers", "12").await;
    book(&test.db, "own", "Hills", "13").await;
    loan(&test.db, "Mary", Some(lent), 7, "1").await;
    loan(&test.db, "Ada", None, 7, "1").await;
    let lent = Loan::on(&test.db).query().select([Loan::book_id]);
    let there = test.db.table("books").where_not_in_query("id", lent);
    assert_eq!(there.pluck::<String>("title").await.unwrap(), ["Hills"]);
}

async fn a_column_is_compared_with_one_value_of_another_query(test: TestDatabase) {
    loans(&test.db).await;
    let query = || Loan::on(&test.db).query();
    let mean = query().select_avg(Loan::days, "mean");
    let long: Vec<i64> =
        query().where_query(Loan::days, ">", mean).order_by("days").pluck("days").await.unwrap();
    assert_eq!(long, [21, 28, 30]);
    let dear = query().where_query(Loan::fee, ">=", query().select_avg(Loan::fee, "mean"));
    assert_eq!(dear.pluck::<Decimal>(Loan::fee).await.unwrap(), [decimal("100")]);
    let dearest = query().where_query(Loan::fee, "=", query().select_max(Loan::fee, "most"));
    assert_eq!(dearest.pluck::<String>(Loan::reader).await.unwrap(), ["Grace"]);
}

async fn rows_are_chosen_by_whether_another_query_finds_something(test: TestDatabase) {
    tables(&test.db).await;
    let lent = book(&test.db, "own", "Rivers", "12").await;
    book(&test.db, "own", "Hills", "13").await;
    loan(&test.db, "Mary", Some(lent), 30, "1").await;
    let long =
        || Loan::on(&test.db).query().where_column(Loan::book_id, Book::id).where_(Loan::days, ">", 28);
    let books = || test.db.table("books");
    assert_eq!(books().where_exists(long()).pluck::<String>("title").await.unwrap(), ["Rivers"]);
    assert_eq!(books().where_not_exists(long()).pluck::<String>("title").await.unwrap(), ["Hills"]);
}

async fn a_query_in_a_condition_keeps_to_its_organization_and_to_rows_that_are_there(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let own = book(db, "own", "Rivers", "12").await;
    let other = book(db, "other", "Hills", "13").await;
    let gone = book(db, "own", "Seas", "14").await;
    for id in [own, other, gone] {
        loan(db, "Mary", Some(id), 7, "1").await;
    }
    db.table("books")
        .where_eq("id", gone)
        .update(record! { "deleted_at" => OffsetDateTime::now_utc() })
        .await
        .unwrap();
    let books = housekey_database::within_tenant(&TenantId::new("own"), async { Book::on(db) }).await;
    let chosen = books.query().or_where(|all| all.where_not_null(Book::id)).select([Book::id]);
    let lent = Loan::on(db).query().where_in_query(Loan::book_id, chosen);
    assert_eq!(lent.pluck::<i64>(Loan::book_id).await.unwrap(), [own]);
    // And without an organization it says so instead of finding everything.
    let unknown = Book::on(db).query().select([Book::id]);
    assert!(Loan::on(db).query().where_in_query(Loan::book_id, unknown).get().await.is_err());
}

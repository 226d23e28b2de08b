//! The query layer, on every engine.

use housekey_database::testing::TestDatabase;
use housekey_database::{
    Database, DatabaseError, Driver, FromRow, Json, Page, Value, on_every_engine, record,
    sql::{Expr, ExprTrait},
};
use time::OffsetDateTime;
use time::macros::datetime;

on_every_engine!(
    every_kind_of_value_comes_back_as_it_went_in,
    nothing_is_nothing_in_every_column,
    text_is_compared_letter_by_letter,
    conditions_choose_rows,
    like_means_the_same_on_every_engine,
    letters_of_other_alphabets_have_two_cases_too,
    what_somebody_typed_is_looked_for_as_it_is,
    groups_of_conditions_keep_together,
    nothing_in_a_list_means_no_rows,
    a_comparison_nobody_knows_is_an_error_that_names_the_known_ones,
    rows_are_sorted_cut_and_paged,
    joins_bring_columns_of_both_tables,
    a_name_that_two_joined_tables_have_is_an_error_and_not_a_guess,
    rows_are_counted_as_they_would_be_read,
    an_insert_tells_what_the_engine_filled_in,
    many_rows_go_in_at_once_or_not_at_all,
    records_with_other_columns_are_refused,
    an_upsert_adds_or_changes,
    an_insert_can_be_left_out_when_the_row_exists,
    a_row_that_is_left_out_leaves_its_transaction_as_it_was,
    of_many_who_add_the_same_row_one_does,
    an_update_counts_the_rows_that_matched,
    numbers_are_added_to_in_place,
    deleting_takes_the_chosen_rows_only,
    a_value_can_never_become_sql,
    a_duplicate_is_a_unique_violation_without_the_value_in_its_text,
    a_broken_reference_is_a_foreign_key_violation,
    a_missing_value_is_a_not_null_violation,
    a_missing_table_is_named_with_the_statement,
    a_column_of_another_kind_is_named,
    a_column_that_is_not_there_is_named,
    a_table_that_another_process_changes_is_read_as_it_is_now,
    a_large_table_is_walked_in_pieces,
    the_statement_builder_underneath_can_be_used,
    raw_sql_takes_values_beside_it,
);

#[derive(Clone, Debug, FromRow, PartialEq)]
#[row(crate = "housekey_database", rename_all = "camelCase")]
struct Thing {
    id: i64,
    name: String,
    note: Option<String>,
    is_on: bool,
    small: i32,
    large: i64,
    part: f64,
    #[row(rename = "seenAt")]
    seen: OffsetDateTime,
    #[row(json)]
    tags: Vec<String>,
    bytes: Vec<u8>,
}

async fn things(db: &Database) {
    db.schema(|schema| {
        schema.create("things", |table| {
            table.id();
            table.string("name", 100);
            table.text("note").nullable();
            table.boolean("isOn").default(false);
            table.integer("small").default(0);
            table.big_integer("large").default(0);
            table.real("part").default(0.5);
            table.timestamp("seenAt").default_now();
            table.json("tags").default(serde_json::json!([]));
            table.binary("bytes").nullable();
        });
    })
    .await
    .unwrap();
}

async fn words(db: &Database, words: &[(&str, i64)]) {
    db.schema(|schema| {
        schema.create("words", |table| {
            table.id();
            table.string("word", 100).unique();
            table.big_integer("views").default(0);
            table.string("state", 20).nullable();
        });
    })
    .await
    .unwrap();
    let records = words.iter().map(|(word, views)| record! { "word" => *word, "views" => *views });
    db.table("words").insert_many(records).await.unwrap();
}

async fn found(query: housekey_database::Query) -> Vec<String> {
    query.order_by("id").pluck("word").await.unwrap()
}

async fn every_kind_of_value_comes_back_as_it_went_in(test: TestDatabase) {
    let db = test.db;
    things(&db).await;
    let seen = datetime!(2099-12-31 23:59:59.987654 +02:00);
    let long = "ä→🦀\0".replace('\0', "'\"\\%_").repeat(5000);
    let thing: Thing = db
        .table("things")
        .insert_returning(
            record! {
                "name" => "O'Neil \\ \"x\" 🦀",
                "note" => &long,
                "isOn" => true,
                "small" => i32::MIN,
                "large" => i64::MAX,
                "part" => -0.1,
                "seenAt" => seen,
                "tags" => Json(["a", "b'"]),
                "bytes" => vec![0_u8, 255, 39],
            },
            "id",
        )
        .await
        .unwrap();
    assert_eq!(thing.name, "O'Neil \\ \"x\" 🦀");
    assert_eq!(thing.note.as_deref(), Some(long.as_str()));
    assert!(thing.is_on);
    assert_eq!((thing.small, thing.large), (i32::MIN, i64::MAX));
    assert!((thing.part + 0.1).abs() < f64::EPSILON);
    assert_eq!(thing.seen, datetime!(2099-12-31 21:59:59.987 UTC), "milliseconds are kept, in UTC");
    assert_eq!(thing.tags, ["a", "b'"]);
    assert_eq!(thing.bytes, [0, 255, 39]);

    let by_time = db.table("things").where_eq("seenAt", thing.seen).where_eq("isOn", true);
    assert_eq!(by_time.first::<Thing>().await.unwrap(), Some(thing));
    let earlier = db.table("things").where_("seenAt", "<", datetime!(2099-12-31 21:59:59.986 UTC));
    assert!(!earlier.exists().await.unwrap());
}

async fn nothing_is_nothing_in_every_column(test: TestDatabase) {
    let db = test.db;
    db.schema(|schema| {
        schema.create("empties", |table| {
            table.id();
            table.string("a", 10).nullable();
            table.boolean("b").nullable();
            table.big_integer("c").nullable();
            table.timestamp("d").nullable();
            table.json("e").nullable();
            table.binary("f").nullable();
            table.real("g").nullable();
        });
    })
    .await
    .unwrap();
    let names = ["a", "b", "c", "d", "e", "f", "g"];
    let none = names.map(|name| (name, Value::Null)).into_iter().collect();
    db.table("empties").insert(none).await.unwrap();
    let rows = db.table("empties").rows().await.unwrap();
    for name in names {
        assert_eq!(rows[0].value(name).unwrap(), Value::Null, "{name}");
        assert_eq!(db.table("empties").where_null(name).count().await.unwrap(), 1, "{name}");
        assert_eq!(db.table("empties").where_eq(name, Value::Null).count().await.unwrap(), 1, "{name}");
        assert_eq!(db.table("empties").where_not_null(name).count().await.unwrap(), 0, "{name}");
    }
    // The same statement with and without a value, in both orders.
    let sql = match db.driver() {
        Driver::Postgres => "update empties set c = $1",
        _ => "update empties set c = ?",
    };
    for value in [Value::Null, 5.into(), Value::Null, 6.into()] {
        db.execute_raw(sql, [value.clone()]).await.unwrap();
        assert_eq!(db.table("empties").value::<Value>("c").await.unwrap(), Some(value));
    }
}

async fn text_is_compared_letter_by_letter(test: TestDatabase) {
    words(&test.db, &[("ada", 1), ("Ada", 2), ("ädä", 3)]).await;
    assert_eq!(test.db.table("words").where_eq("word", "ada").count().await.unwrap(), 1);
    assert_eq!(test.db.table("words").where_eq("word", "ADA").count().await.unwrap(), 0);
}

async fn conditions_choose_rows(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("one", 1), ("two", 2), ("three", 3)]).await;
    let table = || db.table("words");
    assert_eq!(found(table().where_("views", ">", 1)).await, ["two", "three"]);
    assert_eq!(found(table().where_("views", "!=", 2)).await, ["one", "three"]);
    assert_eq!(found(table().where_("views", "<=", 2).where_("views", ">=", 2)).await, ["two"]);
    assert_eq!(found(table().where_between("views", 2, 3)).await, ["two", "three"]);
    assert_eq!(found(table().where_in("word", ["one", "three", "nine"])).await, ["one", "three"]);
    assert_eq!(found(table().where_not_in("word", ["one"])).await, ["two", "three"]);
    assert_eq!(found(table().where_("word", "like", "t%")).await, ["two", "three"]);
    assert_eq!(found(table().where_("word", "not like", "t%")).await, ["one"]);
    assert_eq!(found(table().where_column("id", "views")).await, ["one", "two", "three"]);
    assert_eq!(found(table().where_expr(Expr::col("views").modulo(2_i64).eq(1_i64))).await, ["one", "three"]);
    assert_eq!(table().where_eq("word", "one").value::<i64>("views").await.unwrap(), Some(1));
    assert_eq!(table().where_eq("word", "nine").value::<i64>("views").await.unwrap(), None);
}

async fn like_means_the_same_on_every_engine(test: TestDatabase) {
    let db = test.db;
    let all =
        ["River", "a RIVER bank", "Rio", "50% off", "50 of 100", "a_b", "axb", "back\\slash", "a*b[c]?"];
    words(&db, &all.map(|word| (word, 1))).await;
    let like = async |pattern: &str| found(db.table("words").where_("word", "like", pattern)).await;
    assert_eq!(like("%river%").await, ["River", "a RIVER bank"]);
    assert_eq!(like("RIVER").await, ["River"], "the whole text, not a part of it");
    assert_eq!(like("r_o").await, ["Rio"]);
    assert_eq!(like("50\\%%").await, ["50% off"]);
    assert_eq!(like("a\\_b").await, ["a_b"]);
    assert_eq!(like("a_b").await, ["a_b", "axb"]);
    assert_eq!(like("%\\\\%").await, ["back\\slash"]);
    assert_eq!(like("b\\a%").await, ["back\\slash"], "a letter that needs no backslash stays what it is");
    assert_eq!(like("%k\\").await, [""; 0], "a backslash at the end means itself");
    // What has a meaning in the engines' own patterns, and none in ours.
    assert_eq!(like("a*b[c]?").await, ["a*b[c]?"]);
    assert_eq!(like("%!%").await, [""; 0]);
    let not = db.table("words").where_("word", "not like", "%A%").where_("word", "LIKE", "R%");
    assert_eq!(found(not.clone()).await, ["River", "Rio"]);
    assert_eq!(not.count().await.unwrap(), 2);
    let either = db
        .table("words")
        .where_any(|any| any.where_("word", "like", "rio").where_("word", "like", "50 %"))
        .where_eq("views", 1);
    assert_eq!(found(either).await, ["Rio", "50 of 100"]);
    let error = db.table("words").where_("views", "like", 5).rows().await.unwrap_err().to_string();
    assert!(error.contains("`like` compares with text"), "{error}");
}

async fn letters_of_other_alphabets_have_two_cases_too(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("Über", 1), ("uber", 1), ("Éclair", 1), ("ΣΟΦΙΑ", 1)]).await;
    // PostgreSQL goes by the locale of the database, and there is one that knows ASCII only.
    let knows = match db.driver() {
        Driver::Postgres => {
            db.raw("select lower('É') = 'é' as knows", []).await.unwrap()[0].get("knows").unwrap()
        }
        _ => true,
    };
    for (typed, word) in [("über", "Über"), ("écl", "Éclair"), ("σοφ", "ΣΟΦΙΑ")] {
        let matching = found(db.table("words").where_contains("word", typed)).await;
        assert_eq!(matching, if knows { vec![word] } else { vec![] }, "{typed}");
    }
    assert_eq!(
        found(db.table("words").where_contains("word", "Über")).await,
        ["Über"],
        "u is another letter"
    );
}

async fn what_somebody_typed_is_looked_for_as_it_is(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("50% off", 1), ("500 of them", 1), ("a_b\\c", 1), ("axb\\c", 1), ("wow! [*] really?", 1)])
        .await;
    let table = || db.table("words");
    assert_eq!(found(table().where_contains("word", "50%")).await, ["50% off"]);
    assert_eq!(found(table().where_contains("word", "A_B\\C")).await, ["a_b\\c"]);
    assert_eq!(found(table().where_contains("word", "! [*] R")).await, ["wow! [*] really?"]);
    assert_eq!(found(table().where_starts_with("word", "50")).await, ["50% off", "500 of them"]);
    assert_eq!(found(table().where_starts_with("word", "0")).await, [""; 0]);
    assert_eq!(found(table().where_ends_with("word", "B\\C")).await, ["a_b\\c", "axb\\c"]);
    assert_eq!(found(table().where_ends_with("word", "OFF")).await, ["50% off"]);
    assert_eq!(table().where_contains("word", "").count().await.unwrap(), 5);
    assert_eq!(
        table().where_contains("state", "").count().await.unwrap(),
        table().where_not_null("state").count().await.unwrap()
    );
}

async fn groups_of_conditions_keep_together(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("one", 1), ("two", 2), ("three", 3)]).await;
    let either = |query: housekey_database::Query| query.where_eq("word", "one").where_eq("views", 3);
    assert_eq!(found(db.table("words").where_any(either).where_("views", "<", 3)).await, ["one"]);
    let or = db
        .table("words")
        .where_eq("word", "one")
        .or_where(|or| or.where_eq("word", "two").where_eq("views", 2));
    assert_eq!(found(or.clone()).await, ["one", "two"]);
    assert_eq!(found(or.where_("views", ">", 1)).await, ["two"]);
}

async fn nothing_in_a_list_means_no_rows(test: TestDatabase) {
    words(&test.db, &[("one", 1)]).await;
    assert_eq!(test.db.table("words").where_in("word", Vec::<String>::new()).count().await.unwrap(), 0);
    assert_eq!(test.db.table("words").where_not_in("word", Vec::<String>::new()).count().await.unwrap(), 1);
}

async fn a_comparison_nobody_knows_is_an_error_that_names_the_known_ones(test: TestDatabase) {
    words(&test.db, &[]).await;
    let attack = "= 1 or 1 = 1; --";
    let error = test.db.table("words").where_("views", attack, 1).rows().await.unwrap_err().to_string();
    assert!(error.contains("there is no comparison") && error.contains("not like"), "{error}");
    let inside = test.db.table("words").where_any(|any| any.where_("views", "~~", 1)).delete().await;
    assert!(inside.is_err());
}

#[derive(Debug, FromRow, PartialEq)]
#[row(crate = "housekey_database")]
struct Word {
    word: String,
}

async fn rows_are_sorted_cut_and_paged(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 5), ("b", 4), ("c", 3), ("d", 2), ("e", 1)]).await;
    let sorted: Vec<String> = db.table("words").order_by("views").pluck("word").await.unwrap();
    assert_eq!(sorted, ["e", "d", "c", "b", "a"]);
    let cut: Vec<String> =
        db.table("words").order_by_desc("views").offset(1).limit(2).pluck("word").await.unwrap();
    assert_eq!(cut, ["b", "c"]);
    let rest: Vec<String> = db.table("words").order_by_desc("views").offset(3).pluck("word").await.unwrap();
    assert_eq!(rest, ["d", "e"]);

    let page: Page<Word> = db.table("words").order_by("id").paginate(2, 2).await.unwrap();
    assert_eq!(page.items, [Word { word: "c".into() }, Word { word: "d".into() }]);
    assert_eq!((page.total, page.last_page(), page.has_more()), (5, 3, true));
    let beyond: Page<Word> = db.table("words").order_by("id").paginate(9, 2).await.unwrap();
    assert!(beyond.items.is_empty() && !beyond.has_more());
    let zero: Page<Word> = db.table("words").order_by("id").paginate(0, 0).await.unwrap();
    assert_eq!((zero.page, zero.items.len()), (1, 1));
}

async fn joins_bring_columns_of_both_tables(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("one", 1), ("two", 2)]).await;
    db.schema(|schema| {
        schema.create("lines", |table| {
            table.id();
            table.big_integer("word_id").references("words", "id").on_delete_cascade();
            table.string("line", 50);
        });
    })
    .await
    .unwrap();
    db.table("lines").insert(record! { "word_id" => 1, "line" => "first" }).await.unwrap();
    let rows: Vec<(String, Option<String>)> = db
        .table("words as w")
        .select(["w.word", "l.line as text"])
        .left_join("lines as l", "l.word_id", "w.id")
        .order_by("w.id")
        .get()
        .await
        .unwrap();
    assert_eq!(rows, [("one".into(), Some("first".into())), ("two".into(), None)]);
    assert_eq!(db.table("words").join("lines", "lines.word_id", "words.id").count().await.unwrap(), 1);
    assert_eq!(db.table("words").select(["words.*"]).rows().await.unwrap()[0].columns().len(), 4);
}

#[derive(Debug, FromRow)]
#[row(crate = "housekey_database")]
struct Line {
    id: i64,
    line: String,
}

#[derive(Debug, FromRow, PartialEq)]
#[row(crate = "housekey_database")]
struct WordAndLine {
    word: String,
    line: String,
}

async fn a_name_that_two_joined_tables_have_is_an_error_and_not_a_guess(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("one", 1), ("two", 2)]).await;
    db.schema(|schema| {
        schema.create("lines", |table| {
            table.id();
            table.big_integer("word_id");
            table.string("line", 50);
        });
    })
    .await
    .unwrap();
    db.table("lines").insert(record! { "word_id" => 2, "line" => "first" }).await.unwrap();
    let joined = || db.table("words").join("lines", "lines.word_id", "words.id");

    let error = joined().get::<Line>().await.unwrap_err().to_string();
    assert!(error.contains("reading Line.id") && error.contains("more than one column `id`"), "{error}");
    assert!(error.contains("table.id as …"), "{error}");
    assert!(joined().rows().await.unwrap()[0].get::<i64>("id").is_err());

    // What only one of them has is read as ever, and a place is a place whatever its name.
    let both = WordAndLine { word: "two".into(), line: "first".into() };
    assert_eq!(joined().get::<WordAndLine>().await.unwrap(), [both]);
    let places: Vec<(i64, i64)> = joined().select(["words.id", "lines.id"]).get().await.unwrap();
    assert_eq!(places, [(2, 1)]);
    let line: Line = joined().select(["lines.id", "line"]).first_or_404().await.unwrap();
    assert_eq!((line.id, line.line.as_str()), (1, "first"));
}

async fn rows_are_counted_as_they_would_be_read(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 1), ("b", 1), ("c", 2)]).await;
    assert_eq!(db.table("words").count().await.unwrap(), 3);
    assert_eq!(db.table("words").limit(2).count().await.unwrap(), 2);
    assert_eq!(db.table("words").select(["views"]).distinct().count().await.unwrap(), 2);
    assert_eq!(db.table("words").select(["views"]).group_by(["views"]).count().await.unwrap(), 2);
    let sums: Vec<(i64, i64)> = db
        .table("words")
        .select(["views"])
        .select_expr(Expr::col("id").count(), "rows")
        .group_by(["views"])
        .order_by("views")
        .get()
        .await
        .unwrap();
    assert_eq!(sums, [(1, 2), (2, 1)]);
}

async fn an_insert_tells_what_the_engine_filled_in(test: TestDatabase) {
    let db = test.db;
    things(&db).await;
    let before = OffsetDateTime::now_utc() - time::Duration::minutes(5);
    let thing: Thing = db
        .table("things")
        .insert_returning(record! { "name" => "a", "bytes" => vec![1_u8] }, "id")
        .await
        .unwrap();
    assert_eq!((thing.id, thing.is_on, thing.small, thing.part), (1, false, 0, 0.5));
    assert!(thing.seen > before, "{}", thing.seen);
    assert!(thing.tags.is_empty());
    let second: Thing = db
        .table("things")
        .insert_returning(record! { "name" => "b", "bytes" => vec![1_u8] }, "id")
        .await
        .unwrap();
    assert_eq!(second.id, 2);
}

async fn many_rows_go_in_at_once_or_not_at_all(test: TestDatabase) {
    let db = test.db;
    words(&db, &[]).await;
    let many = |count: i64| {
        (0..count).map(|n| record! { "word" => format!("w{n}"), "views" => n, "state" => "new" })
    };
    assert_eq!(db.table("words").insert_many(many(25_000)).await.unwrap(), 25_000);
    assert_eq!(db.table("words").where_("views", ">=", 24_990).count().await.unwrap(), 10);
    db.table("words").delete().await.unwrap();

    // The last one of the last piece is there already.
    db.table("words").insert(record! { "word" => "w24999" }).await.unwrap();
    assert!(db.table("words").insert_many(many(25_000)).await.is_err());
    assert_eq!(db.table("words").count().await.unwrap(), 1);
    assert_eq!(db.table("words").insert_many([]).await.unwrap(), 0);
}

async fn records_with_other_columns_are_refused(test: TestDatabase) {
    words(&test.db, &[]).await;
    let records = [record! { "word" => "a", "views" => 1 }, record! { "word" => "b", "state" => "x" }];
    let error = test.db.table("words").insert_many(records).await.unwrap_err().to_string();
    assert!(error.contains("word, views"), "{error}");
    assert_eq!(test.db.table("words").count().await.unwrap(), 0);
}

async fn an_upsert_adds_or_changes(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("old", 1)]).await;
    let records = [
        record! { "word" => "old", "views" => 10, "state" => "changed" },
        record! { "word" => "new", "views" => 20, "state" => "added" },
    ];
    db.table("words").upsert(records, &["word"], &["views"]).await.unwrap();
    let rows: Vec<(String, i64, Option<String>)> =
        db.table("words").select(["word", "views", "state"]).order_by("id").get().await.unwrap();
    assert_eq!(rows, [("old".into(), 10, None), ("new".into(), 20, Some("added".into()))]);
}

async fn an_insert_can_be_left_out_when_the_row_exists(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("old", 1)]).await;
    assert!(!db.table("words").insert_or_ignore(record! { "word" => "old", "views" => 9 }).await.unwrap());
    assert!(db.table("words").insert_or_ignore(record! { "word" => "new", "views" => 9 }).await.unwrap());
    assert_eq!(db.table("words").where_eq("word", "old").value("views").await.unwrap(), Some(1_i64));
    let too_long = record! { "word" => "x".repeat(101), "views" => 1 };
    // Only what exists is left out; any other trouble is still an error (SQLite does not count letters).
    let outcome = db.table("words").insert_or_ignore(too_long).await;
    assert_eq!(outcome.is_err(), db.driver() != housekey_database::Driver::Sqlite);
}

/// MySQL has no words for this that are free of other meanings, so there it is an insert that may be refused.
async fn a_row_that_is_left_out_leaves_its_transaction_as_it_was(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("old", 1)]).await;
    db.schema(|schema| {
        schema.create("uses", |table| {
            table.id();
            table.big_integer("wordId").references("words", "id");
        });
    })
    .await
    .unwrap();
    let old: i64 = db.table("words").value("id").await.unwrap().unwrap();
    db.transaction(async |tx| {
        let words = tx.table("words");
        words.insert(record! { "word" => "before" }).await?;
        // The same in every column, its key too.
        assert!(!words.insert_or_ignore(record! { "id" => old, "word" => "old", "views" => 1 }).await?);
        // Only its key is taken.
        assert!(!words.insert_or_ignore(record! { "id" => old, "word" => "other" }).await?);
        assert!(words.insert_or_ignore(record! { "word" => "after" }).await?);
        Ok(())
    })
    .await
    .unwrap();
    assert_eq!(found(db.table("words")).await, ["old", "before", "after"]);

    let error = db.table("uses").insert_or_ignore(record! { "wordId" => 4242 }).await.unwrap_err();
    assert!(DatabaseError::of(&error).unwrap().is_foreign_key_violation(), "{error}");
    let error = db.table("words").insert_or_ignore(record! { "word" => None::<String> }).await.unwrap_err();
    assert!(DatabaseError::of(&error).unwrap().is_not_null_violation(), "{error}");
}

async fn of_many_who_add_the_same_row_one_does(test: TestDatabase) {
    let db = test.db;
    words(&db, &[]).await;
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let words = db.table("words");
            let row = record! { "word" => "same", "views" => number };
            tokio::spawn(async move { words.insert_or_ignore(row).await.unwrap() })
        })
        .collect();
    let mut added = 0;
    for task in tasks {
        added += u32::from(task.await.unwrap());
    }
    assert_eq!(added, 1);
    assert_eq!(db.table("words").count().await.unwrap(), 1);
}

async fn an_update_counts_the_rows_that_matched(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 1), ("b", 1), ("c", 2)]).await;
    let query = db.table("words").where_eq("views", 1);
    assert_eq!(query.update(record! { "state" => "seen" }).await.unwrap(), 2);
    assert_eq!(query.update(record! { "state" => "seen" }).await.unwrap(), 2, "also when nothing changes");
    assert_eq!(query.update(record! {}).await.unwrap(), 0);
    assert_eq!(query.update(record! { "state" => None::<String> }).await.unwrap(), 2);
    assert!(db.table("words").limit(1).update(record! { "state" => "x" }).await.is_err());
}

async fn numbers_are_added_to_in_place(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 1)]).await;
    let tasks: Vec<_> = (0..20)
        .map(|_| {
            let db = db.clone();
            tokio::spawn(async move {
                db.table("words").where_eq("word", "a").increment("views", 5).await.unwrap()
            })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), 1);
    }
    db.table("words").decrement("views", 1).await.unwrap();
    assert_eq!(db.table("words").value("views").await.unwrap(), Some(100_i64));
}

async fn deleting_takes_the_chosen_rows_only(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 1), ("b", 2), ("c", 3)]).await;
    assert_eq!(db.table("words").where_("views", ">=", 2).delete().await.unwrap(), 2);
    assert_eq!(found(db.table("words")).await, ["a"]);
    assert_eq!(db.table("words").delete().await.unwrap(), 1);
}

async fn a_value_can_never_become_sql(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 1)]).await;
    for attack in ["'; drop table words; --", "\\'; drop table words; --", "a' or '1'='1", "$1", "?", "`\"'"]
    {
        assert_eq!(db.table("words").where_eq("word", attack).count().await.unwrap(), 0, "{attack}");
        db.table("words").insert(record! { "word" => attack }).await.unwrap();
        assert_eq!(db.table("words").where_eq("word", attack).count().await.unwrap(), 1, "{attack}");
        let named = db.table("words").where_eq(attack, 1).rows().await.unwrap_err();
        assert!(DatabaseError::of(&named).is_some(), "a column of that name does not exist: {named}");
    }
    assert_eq!(db.table("words").count().await.unwrap(), 7);
}

async fn a_duplicate_is_a_unique_violation_without_the_value_in_its_text(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("hunter2", 1)]).await;
    let error = db.table("words").insert(record! { "word" => "hunter2" }).await.unwrap_err();
    let explained = DatabaseError::of(&error).unwrap();
    assert!(explained.is_unique_violation());
    let constraint = explained.constraint().unwrap();
    assert!(constraint == "words_word_unique" || constraint == "words.word", "{constraint}");
    assert!(!error.to_string().contains("hunter2"), "{error}");
    assert!(error.to_string().contains("words"), "{error}");
}

async fn a_broken_reference_is_a_foreign_key_violation(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 1)]).await;
    db.schema(|schema| {
        schema.create("lines", |table| {
            table.id();
            table.big_integer("word_id").references("words", "id").on_delete_cascade();
        });
    })
    .await
    .unwrap();
    let error = db.table("lines").insert(record! { "word_id" => 99 }).await.unwrap_err();
    assert!(DatabaseError::of(&error).unwrap().is_foreign_key_violation(), "{error}");
    db.table("lines").insert(record! { "word_id" => 1 }).await.unwrap();
    db.table("words").delete().await.unwrap();
    assert_eq!(db.table("lines").count().await.unwrap(), 0, "the line goes with its word");
}

async fn a_missing_value_is_a_not_null_violation(test: TestDatabase) {
    words(&test.db, &[]).await;
    let error = test.db.table("words").insert(record! { "word" => None::<String> }).await.unwrap_err();
    assert!(DatabaseError::of(&error).unwrap().is_not_null_violation(), "{error}");
}

async fn a_missing_table_is_named_with_the_statement(test: TestDatabase) {
    let error = test.db.table("nowhere").rows().await.unwrap_err();
    let explained = DatabaseError::of(&error).unwrap();
    assert!(explained.is_missing_table(), "{error}");
    assert!(explained.sql().unwrap().to_lowercase().contains("from"), "{error}");
    assert!(error.to_string().contains("nowhere"), "{error}");
}

async fn a_column_of_another_kind_is_named(test: TestDatabase) {
    #[derive(Debug, FromRow)]
    #[row(crate = "housekey_database")]
    struct Wrong {
        #[expect(dead_code, reason = "never read: it cannot be")]
        word: i64,
    }
    words(&test.db, &[("hunter2", 1)]).await;
    let error = test.db.table("words").get::<Wrong>().await.unwrap_err().to_string();
    assert_eq!(
        error,
        "reading Wrong.word: column `word` holds text where a whole number that fits i64 was expected"
    );
}

async fn a_column_that_is_not_there_is_named(test: TestDatabase) {
    words(&test.db, &[("a", 1)]).await;
    let rows = test.db.table("words").select(["id"]).rows().await.unwrap();
    let error = rows[0].get::<String>("word").unwrap_err().to_string();
    assert_eq!(error, "the result has no column `word`; it has id");
}

/// A server keeps its connections while a deploy migrates.
async fn a_table_that_another_process_changes_is_read_as_it_is_now(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 2);
    words(&db, &[("a", 1)]).await;
    let elsewhere = test.database();
    for round in 0..3 {
        let columns = |rows: &[housekey_database::Row]| rows[0].columns().len();
        for _ in 0..3 {
            assert_eq!(columns(&db.table("words").rows().await.unwrap()), 4 + round);
        }
        assert_eq!(db.table("words").get::<Word>().await.unwrap().len(), 1);
        let more = format!("more{round}");
        let add = |table: &mut housekey_database::Table| {
            table.string(&more, 9).default("m");
        };
        elsewhere.schema(|schema| schema.table("words", add)).await.unwrap();
        let rows = db.table("words").rows().await.unwrap();
        assert_eq!(columns(&rows), 5 + round);
        assert_eq!(rows[0].get::<String>(&more).unwrap(), "m");
        assert_eq!(db.table("words").get::<Word>().await.unwrap(), [Word { word: "a".into() }]);
    }
}

async fn a_large_table_is_walked_in_pieces(test: TestDatabase) {
    let db = test.db;
    let many: Vec<String> = (0..250).map(|n| format!("w{n:03}")).collect();
    let pairs: Vec<(&str, i64)> = many.iter().map(|word| (word.as_str(), 1)).collect();
    words(&db, &pairs).await;
    let mut seen = Vec::new();
    let mut pieces =
        db.table("words").where_("word", "<", "w200").order_by("views").chunk_by::<Word>("word", 64);
    while let Some(piece) = pieces.next().await.unwrap() {
        assert!((1..=64).contains(&piece.len()));
        seen.extend(piece.into_iter().map(|word| word.word));
    }
    assert!(pieces.next().await.unwrap().is_none(), "the end stays the end");
    assert_eq!(seen, many[..200]);
}

async fn the_statement_builder_underneath_can_be_used(test: TestDatabase) {
    use housekey_database::sql::Query;
    let db = test.db;
    words(&db, &[("a", 1), ("b", 2)]).await;
    let statement =
        Query::select().column("word").from("words").and_where(Expr::col("views").gt(1_i64)).take();
    assert_eq!(db.select(&statement).await.unwrap()[0].get::<String>("word").unwrap(), "b");
    let statement = Query::update().table("words").value("views", 7_i64).take();
    assert_eq!(db.run(&statement).await.unwrap(), 2);
}

async fn raw_sql_takes_values_beside_it(test: TestDatabase) {
    let db = test.db;
    words(&db, &[("a", 1), ("b", 2)]).await;
    let sql = match db.driver() {
        Driver::Postgres => "select word from words where views = $1",
        _ => "select word from words where views = ?",
    };
    let rows = db.raw(sql, [2.into()]).await.unwrap();
    assert_eq!(rows[0].at::<String>(0).unwrap(), "b");
    assert!(rows[0].at::<String>(1).is_err());
}

//! The schema builder and introspection, on every engine.

use housekey_database::testing::TestDatabase;
use housekey_database::{
    Action, ColumnType, Database, DatabaseError, Driver, ForeignKeyInfo, IndexInfo, Schema, Table, TableInfo,
    on_every_engine, record,
};

on_every_engine!(
    every_column_type_is_found_again,
    indexes_are_found_with_their_columns_in_order,
    references_are_found_with_what_happens,
    a_search_finds_texts_by_how_they_begin_without_reading_all,
    an_index_for_searching_outlives_a_change_and_goes_with_its_column,
    a_key_over_several_columns_is_found,
    defaults_hold,
    columns_are_added_to_rows_that_are_there,
    a_column_changes_and_keeps_its_values,
    a_changed_column_can_be_indexed_after,
    a_column_goes_with_its_indexes_and_references,
    columns_and_tables_are_renamed,
    references_are_added_and_dropped_later,
    dropping_what_is_referred_to_is_refused,
    a_reference_in_a_changed_table_still_holds,
    keys_of_deleted_rows_are_not_given_again,
    a_change_that_breaks_references_is_refused_as_a_whole,
    a_failing_change_leaves_nothing_where_the_engine_can,
    a_stepwise_schema_equals_a_fresh_one,
);

async fn info(db: &Database, table: &str) -> TableInfo {
    db.table_info(table).await.unwrap().unwrap()
}

async fn users(db: &Database) {
    db.schema(|schema| {
        schema.create("users", |table| {
            table.id();
            table.string("email", 120).unique();
        });
    })
    .await
    .unwrap();
}

async fn every_column_type_is_found_again(test: TestDatabase) {
    let db = test.db;
    db.schema(|schema| {
        schema.create("kinds", |table| {
            table.id();
            table.string("a", 40);
            table.text("b").nullable();
            table.boolean("c");
            table.integer("d");
            table.big_integer("e").nullable();
            table.real("f");
            table.timestamp("g");
            table.json("h").nullable();
            table.binary("i");
        });
    })
    .await
    .unwrap();
    let table = info(&db, "kinds").await;
    let kinds: Vec<(&str, ColumnType, bool)> = table
        .columns
        .iter()
        .map(|column| (column.name.as_str(), column.kind.clone(), column.nullable))
        .collect();
    assert_eq!(
        kinds,
        [
            ("id", ColumnType::Id, false),
            ("a", ColumnType::String(40), false),
            ("b", ColumnType::Text, true),
            ("c", ColumnType::Boolean, false),
            ("d", ColumnType::Integer, false),
            ("e", ColumnType::BigInteger, true),
            ("f", ColumnType::Real, false),
            ("g", ColumnType::Timestamp, false),
            ("h", ColumnType::Json, true),
            ("i", ColumnType::Binary, false),
        ]
    );
    assert_eq!(table.column("a").unwrap().length(), Some(40));
    assert_eq!(table.primary_key, ["id"]);
    assert!(table.indexes.is_empty() && table.foreign_keys.is_empty());
    assert_eq!(db.tables().await.unwrap(), ["kinds"]);
}

async fn indexes_are_found_with_their_columns_in_order(test: TestDatabase) {
    let db = test.db;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.string("slug", 80).unique();
            table.string("b", 10).index();
            table.string("a", 10);
            table.unique(["b", "a", "slug"]);
            table.index(["slug", "a"]).name("by_slug");
        });
    })
    .await
    .unwrap();
    let index = |name: &str, columns: &[&str], unique| IndexInfo {
        name: name.into(),
        columns: columns.iter().map(|&column| column.into()).collect(),
        unique,
    };
    assert_eq!(
        info(&db, "posts").await.indexes,
        [
            index("by_slug", &["slug", "a"], false),
            index("posts_b_a_slug_unique", &["b", "a", "slug"], true),
            index("posts_b_index", &["b"], false),
            index("posts_slug_unique", &["slug"], true),
        ]
    );
}

/// A table of titles, of which few begin with `Über` and many with `Post`.
async fn titles(db: &Database) {
    db.schema(|schema| {
        schema.create("titles", |table| {
            table.id();
            table.string("title", 120);
            table.string("note", 20).nullable();
            table.search_index("title");
        });
    })
    .await
    .unwrap();
    let mut rows: Vec<_> = (0..2000).map(|number| record! { "title" => format!("Post {number}") }).collect();
    for title in ["Übermut", "übersicht", "Ada's Book", "ADAGIO", "x"] {
        rows.push(record! { "title" => title });
    }
    db.table("titles").insert_many(rows).await.unwrap();
}

async fn a_search_finds_texts_by_how_they_begin_without_reading_all(test: TestDatabase) {
    let db = test.db;
    titles(&db).await;
    let beginning = |text: &str| db.table("titles").where_starts_with("title", text).order_by("title");
    for (typed, expected) in [("ada", 2), ("ADA'S", 1), ("post 199", 11), ("y", 0), ("X", 1), ("", 2005)] {
        assert_eq!(beginning(typed).count().await.unwrap(), expected, "{typed}");
    }
    assert!(beginning("Ü").count().await.unwrap() > 0);

    let explain = match db.driver() {
        Driver::Postgres => {
            db.execute_raw("analyze titles", []).await.unwrap();
            format!("explain {}", beginning("ada").to_sql().unwrap().replace("$1", "'ada%'"))
        }
        Driver::Sqlite => {
            let sql = beginning("ada").to_sql().unwrap();
            let mut values = ["'ada'", "'ada\u{10ffff}'", "'[aA][dD][aA]*'"].into_iter();
            let bound: String =
                sql.split('?').flat_map(|part| [part, values.next().unwrap_or_default()]).collect();
            format!("explain query plan {bound}")
        }
        // It has no index for this.
        Driver::MySql => return,
    };
    let column = if db.driver() == Driver::Postgres { "QUERY PLAN" } else { "detail" };
    let plan: Vec<String> =
        db.raw(&explain, []).await.unwrap().iter().map(|row| row.get(column).unwrap()).collect();
    assert!(plan.iter().any(|line| line.contains("titles_title_search")), "{plan:?}");
}

async fn an_index_for_searching_outlives_a_change_and_goes_with_its_column(test: TestDatabase) {
    let db = test.db;
    titles(&db).await;
    let names = async || -> Vec<String> {
        info(&db, "titles").await.indexes.into_iter().map(|index| index.name).collect()
    };
    assert_eq!(names().await, ["titles_title_search"]);
    db.schema(|schema| {
        schema.table("titles", |table| {
            table.string("note", 40).nullable().change();
        });
    })
    .await
    .unwrap();
    assert_eq!(names().await, ["titles_title_search"], "SQLite copies the table for that");
    db.schema(|schema| schema.table("titles", |table| table.drop_column("title"))).await.unwrap();
    assert_eq!(names().await, [""; 0]);
    assert_eq!(db.table("titles").count().await.unwrap(), 2005);
}

async fn references_are_found_with_what_happens(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id").references("users", "id").on_delete_cascade();
            table.big_integer("editor_id").nullable().references("users", "id").on_delete_set_null();
            table.string("mail", 120);
            table.foreign(["mail"], "users", ["email"]).on_update(Action::Cascade);
        });
    })
    .await
    .unwrap();
    let key = |column: &str, reference: &str, on_delete, on_update| ForeignKeyInfo {
        name: (db.driver() != Driver::Sqlite).then(|| format!("posts_{column}_foreign")),
        columns: vec![column.into()],
        table: "users".into(),
        references: vec![reference.into()],
        on_delete,
        on_update,
    };
    let table = info(&db, "posts").await;
    assert_eq!(
        table.foreign_keys,
        [
            key("author_id", "id", Action::Cascade, Action::NoAction),
            key("editor_id", "id", Action::SetNull, Action::NoAction),
            key("mail", "email", Action::NoAction, Action::Cascade),
        ]
    );
    assert!(table.indexes.is_empty(), "what the engine adds for itself is not shown: {:?}", table.indexes);
}

async fn a_key_over_several_columns_is_found(test: TestDatabase) {
    let db = test.db;
    db.schema(|schema| {
        schema.create("seats", |table| {
            table.integer("row");
            table.string("hall", 10);
            table.primary(["hall", "row"]);
        });
        schema.create("tokens", |table| {
            table.string("id", 36).primary();
        });
    })
    .await
    .unwrap();
    assert_eq!(info(&db, "seats").await.primary_key, ["hall", "row"]);
    assert_eq!(info(&db, "tokens").await.primary_key, ["id"]);
    db.table("seats").insert(record! { "row" => 1, "hall" => "a" }).await.unwrap();
    assert!(db.table("seats").insert(record! { "row" => 1, "hall" => "a" }).await.is_err());
}

async fn defaults_hold(test: TestDatabase) {
    let db = test.db;
    let text = "it's \\ \"so\" ; --";
    db.schema(|schema| {
        schema.create("defaults", |table| {
            table.id();
            table.string("a", 50).default(text);
            table.text("b").default(text);
            table.boolean("c").default(true);
            table.integer("d").default(-7);
            table.real("e").default(1.25);
            table.timestamp("f").default(time::macros::datetime!(2026-01-31 9:05:07.042 UTC));
            table.json("g").default(serde_json::json!({ "it's": [1, "\\"] }));
            table.string("h", 9).nullable();
        });
    })
    .await
    .unwrap();
    db.table("defaults").insert(record! {}).await.unwrap();
    let rows = db.table("defaults").rows().await.unwrap();
    let row = &rows[0];
    assert_eq!(row.get::<String>("a").unwrap(), text);
    assert_eq!(row.get::<String>("b").unwrap(), text);
    assert!(row.get::<bool>("c").unwrap());
    assert_eq!(row.get::<i64>("d").unwrap(), -7);
    assert!((row.get::<f64>("e").unwrap() - 1.25).abs() < f64::EPSILON);
    let time: time::OffsetDateTime = row.get("f").unwrap();
    assert_eq!(time, time::macros::datetime!(2026-01-31 9:05:07.042 UTC));
    assert_eq!(row.get::<serde_json::Value>("g").unwrap(), serde_json::json!({ "it's": [1, "\\"] }));
    assert_eq!(row.get::<Option<String>>("h").unwrap(), None);
}

async fn columns_are_added_to_rows_that_are_there(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.table("users").insert(record! { "email" => "ada@example.com" }).await.unwrap();
    db.schema(|schema| {
        schema.table("users", |table| {
            table.string("name", 50).nullable();
            table.integer("visits").default(3);
            table.timestamp("joined_at").default_now();
            table.big_integer("friend_id").nullable().references("users", "id").on_delete_set_null().index();
            table.string("nick", 20).nullable().unique();
        });
    })
    .await
    .unwrap();
    let rows = db.table("users").rows().await.unwrap();
    assert_eq!(rows[0].get::<i64>("visits").unwrap(), 3);
    assert!(rows[0].get::<time::OffsetDateTime>("joined_at").unwrap().year() > 2020);
    let table = info(&db, "users").await;
    assert_eq!(table.columns.last().unwrap().name, "nick");
    assert_eq!(table.foreign_keys[0].on_delete, Action::SetNull);
    for columns in [["friend_id"], ["nick"], ["email"]] {
        assert!(table.index(&columns).is_some(), "{columns:?}");
    }
    // A column that must have a value cannot come without one while there are rows: MySQL makes one up.
    let must = db.schema(|schema| {
        schema.table("users", |table| {
            table.string("must", 5);
        });
    });
    assert_eq!(must.await.is_ok(), db.driver() == Driver::MySql);
}

async fn a_column_changes_and_keeps_its_values(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id").references("users", "id").on_delete_cascade();
            table.string("title", 5).default("none");
            table.integer("views").nullable();
            table.index(["title", "views"]);
        });
    })
    .await
    .unwrap();
    db.table("users").insert(record! { "email" => "a" }).await.unwrap();
    let post = record! { "author_id" => 1, "title" => "short", "views" => 7 };
    db.table("posts").insert(post).await.unwrap();
    db.schema(|schema| {
        schema.table("posts", |table| {
            table.string("title", 200).nullable().change();
            table.big_integer("views").default(1).change();
        });
    })
    .await
    .unwrap();
    let table = info(&db, "posts").await;
    let title = table.column("title").unwrap();
    assert_eq!(
        (title.kind.clone(), title.nullable, title.default.clone()),
        (ColumnType::String(200), true, None)
    );
    assert_eq!(table.column("views").unwrap().kind, ColumnType::BigInteger);
    assert!(!table.column("views").unwrap().nullable);
    assert!(table.index(&["title", "views"]).is_some(), "indexes stay");
    assert_eq!(table.foreign_keys[0].on_delete, Action::Cascade, "references stay");
    let rows: Vec<(i64, String, i64)> =
        db.table("posts").select(["author_id", "title", "views"]).get().await.unwrap();
    assert_eq!(rows, [(1, "short".into(), 7)]);
    db.table("posts").insert(record! { "author_id" => 1, "title" => "x".repeat(200) }).await.unwrap();
    assert_eq!(db.table("posts").where_eq("views", 1).count().await.unwrap(), 1);
    assert!(
        db.table("posts").insert(record! { "author_id" => 99 }).await.is_err(),
        "references are checked again"
    );
}

// spec: CLI-12
async fn a_changed_column_can_be_indexed_after(test: TestDatabase) {
    let db = test.db;
    db.schema(|schema| {
        schema.create("accounts", |table| {
            table.id();
            table.text("issuer").nullable();
            table.text("accountId");
        });
    })
    .await
    .unwrap();
    db.table("accounts").insert(record! { "issuer" => "here", "accountId" => "1" }).await.unwrap();
    db.schema(|schema| {
        schema.table("accounts", |table| {
            table.string("issuer", 191).nullable().change();
            table.string("accountId", 191).change();
            table.unique(["issuer", "accountId"]);
        });
    })
    .await
    .unwrap();
    assert!(info(&db, "accounts").await.index(&["issuer", "accountId"]).unwrap().unique);
    assert_eq!(db.table("accounts").where_eq("issuer", "here").count().await.unwrap(), 1);
}

async fn a_column_goes_with_its_indexes_and_references(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id").references("users", "id").index();
            table.string("a", 9).unique();
            table.string("b", 9);
            table.index(["b", "a"]);
            table.index(["b"]);
        });
    })
    .await
    .unwrap();
    db.table("users").insert(record! { "email" => "x" }).await.unwrap();
    db.table("posts").insert(record! { "author_id" => 1, "a" => "a", "b" => "b" }).await.unwrap();
    db.schema(|schema| {
        schema.table("posts", |table| {
            table.drop_column("author_id");
            table.drop_column("a");
        });
    })
    .await
    .unwrap();
    let table = info(&db, "posts").await;
    assert_eq!(table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>(), ["id", "b"]);
    assert_eq!(table.indexes.iter().map(|index| index.name.as_str()).collect::<Vec<_>>(), ["posts_b_index"]);
    assert!(table.foreign_keys.is_empty());
    assert_eq!(db.table("posts").value::<String>("b").await.unwrap().unwrap(), "b");
}

async fn columns_and_tables_are_renamed(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id").references("users", "id").on_delete_cascade();
        });
    })
    .await
    .unwrap();
    db.table("users").insert(record! { "email" => "x" }).await.unwrap();
    db.schema(|schema| {
        schema.table("users", |table| table.rename_column("email", "address"));
        schema.rename("users", "people");
    })
    .await
    .unwrap();
    assert_eq!(db.tables().await.unwrap(), ["people", "posts"]);
    assert_eq!(info(&db, "posts").await.foreign_keys[0].table, "people");
    assert_eq!(info(&db, "people").await.indexes[0].columns, ["address"]);
    db.table("posts").insert(record! { "author_id" => 1 }).await.unwrap();
    db.table("people").delete().await.unwrap();
    assert_eq!(db.table("posts").count().await.unwrap(), 0);
}

async fn references_are_added_and_dropped_later(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id").nullable();
        });
    })
    .await
    .unwrap();
    db.schema(|schema| {
        schema.table("posts", |table| {
            table.foreign(["author_id"], "users", ["id"]).on_delete(Action::Cascade);
        });
    })
    .await
    .unwrap();
    assert_eq!(info(&db, "posts").await.foreign_keys[0].on_delete, Action::Cascade);
    assert!(db.table("posts").insert(record! { "author_id" => 5 }).await.is_err());
    db.schema(|schema| schema.table("posts", |table| table.drop_foreign(["author_id"]))).await.unwrap();
    assert!(info(&db, "posts").await.foreign_keys.is_empty());
    db.table("posts").insert(record! { "author_id" => 5 }).await.unwrap();
}

async fn dropping_what_is_referred_to_is_refused(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id").references("users", "id").on_delete_cascade();
        });
    })
    .await
    .unwrap();
    db.table("users").insert(record! { "email" => "x" }).await.unwrap();
    db.table("posts").insert(record! { "author_id" => 1 }).await.unwrap();
    assert!(db.schema(|schema| schema.drop("users")).await.is_err());
    assert_eq!(db.table("posts").count().await.unwrap(), 1);
    db.schema(|schema| {
        schema.drop("posts");
        schema.drop("users");
        schema.drop_if_exists("users");
    })
    .await
    .unwrap();
    assert!(db.tables().await.unwrap().is_empty());
}

/// SQLite copies the table; whoever refers to it must not notice.
async fn a_reference_in_a_changed_table_still_holds(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id").references("users", "id").on_delete_cascade();
        });
    })
    .await
    .unwrap();
    db.table("users").insert(record! { "email" => "x" }).await.unwrap();
    db.table("posts").insert(record! { "author_id" => 1 }).await.unwrap();
    db.schema(|schema| {
        schema.table("users", |table| {
            table.string("email", 200).change();
        });
    })
    .await
    .unwrap();
    assert_eq!(db.table("posts").count().await.unwrap(), 1, "copying a table deletes nothing");
    assert!(db.table("posts").insert(record! { "author_id" => 2 }).await.is_err());
    db.table("users").delete().await.unwrap();
    assert_eq!(db.table("posts").count().await.unwrap(), 0);
}

async fn keys_of_deleted_rows_are_not_given_again(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    for email in ["a", "b", "c"] {
        db.table("users").insert(record! { "email" => email }).await.unwrap();
    }
    db.table("users").where_("id", ">", 1).delete().await.unwrap();
    db.schema(|schema| {
        schema.table("users", |table| {
            table.string("email", 200).change();
        });
    })
    .await
    .unwrap();
    let (id,): (i64,) = db.table("users").insert_returning(record! { "email" => "d" }, "id").await.unwrap();
    assert_eq!(id, 4);
}

async fn a_change_that_breaks_references_is_refused_as_a_whole(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.big_integer("author_id");
        });
    })
    .await
    .unwrap();
    db.table("posts").insert(record! { "author_id" => 42 }).await.unwrap();
    let outcome = db.schema(|schema| {
        schema.table("posts", |table| {
            table.foreign(["author_id"], "users", ["id"]);
        });
    });
    let error = outcome.await.unwrap_err();
    assert!(DatabaseError::of(&error).unwrap().is_foreign_key_violation(), "{error}");
    assert!(info(&db, "posts").await.foreign_keys.is_empty());
    assert_eq!(db.table("posts").count().await.unwrap(), 1);
    assert_eq!(db.tables().await.unwrap(), ["posts", "users"]);
    // And the next change on the same connections goes well.
    db.table("posts").delete().await.unwrap();
    db.schema(|schema| {
        schema.table("posts", |table| {
            table.foreign(["author_id"], "users", ["id"]);
        });
    })
    .await
    .unwrap();
    assert!(db.table("posts").insert(record! { "author_id" => 42 }).await.is_err());
}

async fn a_failing_change_leaves_nothing_where_the_engine_can(test: TestDatabase) {
    let db = test.db;
    users(&db).await;
    let outcome = db.schema(|schema| {
        schema.create("first", |table| {
            table.id();
        });
        schema.table("users", |table| {
            table.string("email", 250).change();
        });
        schema.raw("this is no sql");
    });
    assert!(outcome.await.is_err());
    let kept = !db.driver().has_transactional_schema();
    assert_eq!(db.has_table("first").await.unwrap(), kept);
    let length = info(&db, "users").await.column("email").unwrap().length();
    assert_eq!(length, Some(if kept { 250 } else { 120 }));
}

/// The app's history, step by step.
fn steps() -> [fn(&mut Schema); 4] {
    [
        |schema| {
            schema.create("users", |table| {
                table.id();
                table.string("email", 100);
                table.text("bio").nullable();
                table.string("old", 10).index();
            });
        },
        |schema| {
            schema.create("accounts", |table| {
                table.id();
                table.text("issuer").nullable();
                table.big_integer("user_id");
            });
        },
        |schema| {
            schema.table("users", |table| {
                table.string("email", 255).change();
                table.unique(["email"]);
                table.drop_column("old");
                table.rename_column("bio", "about");
            });
        },
        |schema| {
            schema.table("accounts", |table| {
                table.string("issuer", 191).nullable().change();
                table.foreign(["user_id"], "users", ["id"]).on_delete(Action::Cascade);
                table.boolean("active").default(true);
                table.index(["issuer", "user_id"]);
            });
            schema.rename("accounts", "logins");
        },
    ]
}

/// The same, as one would write it today.
fn fresh(schema: &mut Schema) {
    schema.create("users", |table| {
        table.id();
        table.string("email", 255).unique();
        table.text("about").nullable();
    });
    schema.create("logins", |table| {
        table.id();
        table.string("issuer", 191).nullable();
        table.big_integer("user_id");
        table.boolean("active").default(true);
        table
            .foreign(["user_id"], "users", ["id"])
            .on_delete(Action::Cascade)
            .name("accounts_user_id_foreign");
        table.index(["issuer", "user_id"]).name("accounts_issuer_user_id_index");
    });
}

// spec: CLI-12
async fn a_stepwise_schema_equals_a_fresh_one(test: TestDatabase) {
    let db = test.db;
    for step in steps() {
        db.schema(step).await.unwrap();
    }
    let stepwise = db.introspect().await.unwrap();
    db.wipe().await.unwrap();
    assert!(db.introspect().await.unwrap().is_empty());
    db.schema(fresh).await.unwrap();
    assert_eq!(stepwise, db.introspect().await.unwrap());
}

#[tokio::test]
async fn a_copy_that_would_lose_something_is_refused_on_sqlite() {
    let db = Database::memory();
    db.execute_raw("create table t (id integer primary key, a text check (a <> 'check (') default 'x')", [])
        .await
        .unwrap();
    let change = |table: &mut Table| {
        table.string("a", 9).change();
    };
    let error = db.schema(|schema| schema.table("t", change)).await.unwrap_err().to_string();
    assert!(error.contains("a check would be lost") && error.contains("schema.raw"), "{error}");
    for (number, columns) in [
        "a text CHECK\n(a <> '')",
        "a text\tcollate\tnocase",
        "a text, b text as (upper(a)) stored",
        "a text unique on conflict replace",
        "a text references t (id) deferrable initially deferred",
        "a text /* it's fine */ check/**/(a <> '')",
        "a text -- it's fine\n check(a <> '')",
    ]
    .into_iter()
    .enumerate()
    {
        let name = format!("made_elsewhere_{number}");
        db.execute_raw(&format!("create table {name} (id integer primary key, {columns})"), [])
            .await
            .unwrap();
        let error = db.schema(|schema| schema.table(&name, change)).await.unwrap_err().to_string();
        assert!(error.contains("would be lost"), "{columns}: {error}");
    }
    let harmless = "create table \"check\" (id integer primary key, [as] text, `strict` text, a text default 'it''s as (')";
    db.execute_raw(harmless, []).await.unwrap();
    db.schema(|schema| schema.table("check", change)).await.unwrap();
    db.execute_raw("create table u (id integer primary key, a text default 'check (', unique (a))", [])
        .await
        .unwrap();
    db.execute_raw("create trigger watch after insert on u begin delete from t; end", []).await.unwrap();
    db.schema(|schema| schema.table("u", change)).await.unwrap();
    let table = info(&db, "u").await;
    assert!(table.index(&["a"]).unwrap().unique);
    let triggers = db.raw("select name as name from sqlite_master where type = 'trigger'", []).await.unwrap();
    assert_eq!(triggers.len(), 1);
}

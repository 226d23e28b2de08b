//! A database that lags behind the configuration.

use housekey_auth::schema::Plan;
use housekey_database::{Database, Driver, Record, on_every_engine, record};
use housekey_engine::Plugin;
use housekey_engine::options::{AdditionalField, FieldKind};
use housekey_engine::plugins::{PasskeyOptions, passkey, two_factor};
use housekey_engine::schema::{Column, SchemaContribution};
use housekey_engine::storage::conformance;

use crate::support::{
    App, engine, schema, schema_of, tables_of, tables_of_fresh_install, with_both, with_two_factor,
};
use housekey_database::testing::TestDatabase;

on_every_engine!(
    two_factor_is_added_to_people_who_are_there,
    passkeys_are_added_and_steps_lead_where_a_fresh_install_does,
    when_a_passkey_was_used_last_is_a_column_of_its_own,
    an_issuer_is_added_to_accounts_that_are_there,
    an_index_of_a_newer_engine_gets_its_columns_bounded_first,
    an_account_id_that_an_index_cannot_hold_is_refused_not_cut,
    dropped_indexes_are_found_again,
    nothing_missing_is_an_empty_plan,
    tables_of_the_reference_lack_the_bounds_of_indexed_texts_where_bounds_count,
    a_column_that_must_have_a_value_is_added_to_rows_without_one,
    an_index_whose_name_is_taken_is_refused,
);

// spec: CLI-2, CLI-12, TBL-1, TBL-2
async fn two_factor_is_added_to_people_who_are_there(test: TestDatabase) {
    let mut app = App::installed(test.db, &schema([])).await;
    insert_user(&app.database, "u1").await;
    let plan = app.catch_up(&schema(with_two_factor())).await;
    assert_eq!(plan.name(), "add_two_factor_to_auth");
    assert_eq!(plan.adds(), ["table twoFactor", "column user.twoFactorEnabled"]);
    let rows = app.database.table("user").rows().await.unwrap();
    assert!(!rows[0].get::<bool>("twoFactorEnabled").unwrap());
    same_as_fresh(&app, &schema(with_two_factor())).await;
}

// spec: CLI-2, CLI-12, TBL-3
async fn passkeys_are_added_and_steps_lead_where_a_fresh_install_does(test: TestDatabase) {
    let mut app = App::installed(test.db, &schema([])).await;
    app.catch_up(&schema(with_two_factor())).await;
    let plan = app.catch_up(&schema(with_both())).await;
    assert_eq!((plan.name(), plan.adds()), ("add_passkey_to_auth".into(), vec!["table passkey".to_owned()]));
    same_as_fresh(&app, &schema(with_both())).await;
}

// spec: CLI-2, CLI-12
async fn when_a_passkey_was_used_last_is_a_column_of_its_own(test: TestDatabase) {
    let tracked = schema([
        two_factor(Default::default()),
        passkey(PasskeyOptions { track_last_use: true, ..Default::default() }),
    ]);
    let mut app = App::installed(test.db, &schema(with_both())).await;
    let before = app.database.table_info("passkey").await.unwrap().unwrap();
    assert!(before.column("lastUsedAt").is_none(), "the reference has no such column");
    let plan = app.catch_up(&tracked).await;
    assert_eq!(plan.adds(), ["column passkey.lastUsedAt"]);
    let after = app.database.table_info("passkey").await.unwrap().unwrap();
    assert!(after.column("lastUsedAt").unwrap().nullable);
    same_as_fresh(&app, &tracked).await;
}

// spec: CLI-12
async fn an_issuer_is_added_to_accounts_that_are_there(test: TestDatabase) {
    let wanted = conformance::schema().unwrap();
    let mut app = App::installed(test.db, &wanted).await;
    forget_the_issuer(&app.database).await;
    insert_user(&app.database, "u1").await;
    for (id, provider) in [("a1", "credential"), ("a2", "google")] {
        app.database.table("account").insert(account(id, provider, "1")).await.unwrap();
    }
    let plan = app.catch_up(&wanted).await;
    assert_eq!(plan.name(), "add_issuer_to_account");
    assert_eq!(
        plan.adds(),
        ["bound of account.accountId", "column account.issuer", "index of account (issuer, accountId)"]
    );
    let rows = app.database.table("account").order_by("id").rows().await.unwrap();
    let issuers: Vec<Option<String>> = rows.iter().map(|row| row.get("issuer").unwrap()).collect();
    assert_eq!(issuers, [Some("local:credential".to_owned()), None]);

    app.database.table("account").delete().await.unwrap();
    app.database.table("user").delete().await.unwrap();
    conformance::check(&app.storage(), &wanted).await.unwrap();
    same_as_fresh(&app, &wanted).await;
}

// spec: CLI-12
async fn an_index_of_a_newer_engine_gets_its_columns_bounded_first(test: TestDatabase) {
    let plugin = |contribution| schema([Plugin::new("example").schema(contribution)]);
    let before = SchemaContribution::new().column("session", Column::text("device").nullable());
    let after = before.clone().index("session", ["device", "userId"]).unique_index("user", ["name", "email"]);
    let (before, after) = (plugin(before), plugin(after));
    let mut app = App::installed(test.db, &before).await;
    insert_user(&app.database, "u1").await;
    let plan = app.catch_up(&after).await;
    assert_eq!(plan.name(), "index_user_and_session");
    assert_eq!(
        plan.adds(),
        [
            "bound of user.name",
            "bound of user.email",
            "index of user (name, email)",
            "bound of session.device",
            "index of session (device, userId)",
        ]
    );
    same_as_fresh(&app, &after).await;
}

/// A bound must not shorten what tells accounts apart. SQLite does not mind the length.
async fn an_account_id_that_an_index_cannot_hold_is_refused_not_cut(test: TestDatabase) {
    let wanted = schema([]);
    let app = App::installed(test.db, &wanted).await;
    forget_the_issuer(&app.database).await;
    insert_user(&app.database, "u1").await;
    let long = "x".repeat(200);
    app.database.table("account").insert(account("a1", "google", &long)).await.unwrap();
    let plan = app.missing(&wanted).await;
    let outcome = app.database.schema(|schema| plan.up(schema)).await;
    assert_eq!(outcome.is_ok(), app.database.driver() == Driver::Sqlite);
    let rows = app.database.table("account").rows().await.unwrap();
    assert_eq!(rows[0].get::<String>("accountId").unwrap(), long);
}

// spec: CLI-2
async fn dropped_indexes_are_found_again(test: TestDatabase) {
    let wanted = schema(with_both());
    let mut app = App::installed(test.db, &wanted).await;
    let complete = tables_of(&app.database).await;
    for (table, index, name) in [
        ("account", "account_issuer_accountId_uidx", "index_account_issuer_account_id"),
        ("verification", "verification_identifier_idx", "index_verification_identifier"),
        ("passkey", "passkey_credentialID_idx", "index_passkey_credential_id"),
        ("session", "session_token_unique", "index_session_token"),
        ("user", "user_email_unique", "index_user_email"),
    ] {
        app.database
            .schema(|schema| schema.table(table, |table| table.drop_index_named(index)))
            .await
            .unwrap();
        let plan = app.catch_up(&wanted).await;
        assert_eq!(plan.name(), name);
        assert_eq!(tables_of(&app.database).await, complete);
    }
}

// spec: CLI-3
async fn nothing_missing_is_an_empty_plan(test: TestDatabase) {
    let wanted = schema(with_both());
    let app = App::installed(test.db, &wanted).await;
    assert_eq!(app.missing(&wanted).await, Plan::default());
    // Whatever else is in the database is nobody's business.
    app.database
        .schema(|schema| {
            schema.create("posts", |table| {
                table.id();
            });
        })
        .await
        .unwrap();
    assert!(app.missing(&wanted).await.is_empty());
    // A configuration that asks for less leaves what is there alone.
    assert!(app.missing(&schema([])).await.is_empty());
}

// spec: CLI-10, CLI-12
async fn tables_of_the_reference_lack_the_bounds_of_indexed_texts_where_bounds_count(test: TestDatabase) {
    let wanted = schema([]);
    let mut app = App::new(test.db);
    app.storage().create_tables(&wanted).await.unwrap();
    if app.database.driver() != Driver::Postgres {
        // MySQL takes no other texts into an index, and SQLite knows no bounds.
        assert!(app.missing(&wanted).await.is_empty());
        return;
    }
    let token = async |database: &Database| {
        let session = database.table_info("session").await.unwrap().unwrap();
        session.column("token").unwrap().type_name.clone()
    };
    assert_eq!(token(&app.database).await, "text");
    insert_user(&app.database, "u1").await;
    let plan = app.catch_up(&wanted).await;
    assert_eq!(plan.name(), "bound_columns_of_auth_tables");
    assert_eq!(
        plan.adds(),
        [
            "bound of user.email",
            "bound of session.token",
            "bound of account.issuer",
            "bound of account.accountId",
            "bound of verification.identifier",
        ]
    );
    assert!(plan.to_rust().contains(r#"table.string("token", 255).change();"#), "{}", plan.to_rust());
    assert!(token(&app.database).await.contains("255"));

    // As in the walk: one text, with its unique index.
    let unbounded = |schema: &mut housekey_database::Schema| {
        schema.table("session", |table| {
            table.text("token").change();
        });
    };
    app.database.schema(unbounded).await.unwrap();
    let plan = app.catch_up(&wanted).await;
    assert_eq!(
        (plan.name(), plan.adds()),
        ("bound_token_of_session".into(), vec!["bound of session.token".to_owned()])
    );
}

async fn a_column_that_must_have_a_value_is_added_to_rows_without_one(test: TestDatabase) {
    let mut builder = engine([]);
    let field = |kind, default| AdditionalField {
        kind,
        required: true,
        default_value: default,
        ..Default::default()
    };
    let fields = &mut builder.options.user.additional_fields;
    fields.insert("country".into(), field(FieldKind::String, None));
    fields.insert("plan".into(), field(FieldKind::String, Some("free".into())));
    fields.insert("score".into(), field(FieldKind::Number, Some(7.into())));
    fields.insert("settings".into(), field(FieldKind::Json, Some(serde_json::json!({ "it's": "\\fine" }))));
    let wanted = schema_of(builder);
    let mut app = App::installed(test.db, &schema([])).await;
    insert_user(&app.database, "u1").await;
    let plan = app.catch_up(&wanted).await;
    assert_eq!(plan.name(), "add_columns_to_user");
    assert!(plan.notes().len() == 1 && plan.notes()[0].contains("user.country"), "{:?}", plan.notes());
    assert!(plan.to_rust().contains("leave out `nullable()`"));
    let rows = app.database.table("user").rows().await.unwrap();
    assert_eq!(rows[0].get::<Option<String>>("country").unwrap(), None);
    assert_eq!(rows[0].get::<String>("plan").unwrap(), "free");
    assert_eq!(rows[0].get::<i64>("score").unwrap(), 7);
    assert_eq!(rows[0].get::<serde_json::Value>("settings").unwrap()["it's"], "\\fine");
}

async fn an_index_whose_name_is_taken_is_refused(test: TestDatabase) {
    let wanted = schema([]);
    let app = App::installed(test.db, &wanted).await;
    let other = |table: &mut housekey_database::Table| {
        table.drop_index_named("verification_identifier_idx");
        table.index(["expiresAt"]).name("verification_identifier_idx");
    };
    app.database.schema(|schema| schema.table("verification", other)).await.unwrap();
    let present = app.database.introspect().await.unwrap();
    let conflict = Plan::missing(&wanted, &present, app.database.driver()).unwrap_err().to_string();
    assert!(conflict.contains("`verification_identifier_idx` over (expiresAt)"), "{conflict}");
}

async fn same_as_fresh(app: &App, schema: &housekey_engine::schema::Schema) {
    let stepwise = tables_of(&app.database).await;
    assert_eq!(stepwise, tables_of_fresh_install(&app.database, schema).await);
}

/// As a database of the reference from 1.7.3 on: no issuer, and an account id without a bound.
async fn forget_the_issuer(database: &Database) {
    let without = |table: &mut housekey_database::Table| {
        table.drop_index_named("account_issuer_accountId_uidx");
        table.drop_column("issuer");
        table.text("accountId").change();
    };
    database.schema(|schema| schema.table("account", without)).await.unwrap();
}

async fn insert_user(database: &Database, id: &str) {
    let user = record! {
        "id" => id,
        "name" => "Ada",
        "email" => format!("{id}@example.com"),
        "emailVerified" => false,
    };
    database.table("user").insert(user).await.unwrap();
}

fn account(id: &str, provider: &str, account_id: &str) -> Record {
    let moment = time::macros::datetime!(2026-01-01 0:00 UTC);
    record! {
        "id" => id,
        "accountId" => account_id,
        "providerId" => provider,
        "userId" => "u1",
        "updatedAt" => moment,
    }
}

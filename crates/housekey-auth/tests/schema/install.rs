//! A database that has none of the tables yet.

use bytes::Bytes;
use housekey_auth::schema::Plan;
use housekey_database::{ColumnType, Migration, Migrations, Migrator, on_every_engine};
use housekey_engine::Plugin;
use housekey_engine::options::TableNames;
use housekey_engine::plugins::two_factor;
use housekey_engine::plugins::two_factor::TwoFactorOptions;
use housekey_engine::schema::{Column, SchemaContribution, Table};
use housekey_engine::storage::conformance;
use http::{Request, StatusCode};

use crate::support::{App, engine, schema, tables_of, with_both, with_two_factor};
use housekey_database::testing::TestDatabase;

on_every_engine!(
    a_fresh_install_keeps_the_engines_people,
    the_storage_does_what_it_must_on_these_tables,
    what_an_index_names_is_bounded,
    a_second_install_fails_and_says_which_table_is_there,
    a_plugin_contributes_in_three_shapes,
    a_renamed_table_is_made_under_its_name,
);

// spec: CLI-1, CLI-3, SVC-3
async fn a_fresh_install_keeps_the_engines_people(test: TestDatabase) {
    let app = App::installed(test.db, &schema(with_both())).await;
    let engine = engine(with_both()).build(app.storage()).unwrap();
    let sign_up = Request::post("/api/auth/sign-up/email")
        .header("content-type", "application/json")
        .body(Bytes::from_static(br#"{"name":"Ada","email":"ada@example.com","password":"correct horse"}"#))
        .unwrap();
    let answer = engine.handle(sign_up.clone()).await;
    assert_eq!(answer.status(), StatusCode::OK, "{:?}", answer.body());
    assert_eq!(engine.handle(sign_up).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(app.missing(engine.schema()).await.is_empty());
    app.migrator().reset().await.unwrap();
    assert!(tables_of(&app.database).await.is_empty());
}

async fn the_storage_does_what_it_must_on_these_tables(test: TestDatabase) {
    let schema = conformance::schema().unwrap();
    let app = App::installed(test.db, &schema).await;
    conformance::check(&app.storage(), &schema).await.unwrap();
}

// spec: CLI-10, TBL-1, TBL-2, TBL-3
async fn what_an_index_names_is_bounded(test: TestDatabase) {
    let app = App::installed(test.db, &schema(with_both())).await;
    let tables = tables_of(&app.database).await;
    let mut seen = Vec::new();
    for table in &tables {
        for column in table.indexes.iter().flat_map(|index| &index.columns) {
            let kind = &table.column(column).unwrap().kind;
            assert!(matches!(kind, ColumnType::String(1..=255)), "{}.{column}: {kind:?}", table.name);
            seen.push(format!("{}.{column}", table.name));
        }
    }
    for column in [
        "account.accountId",
        "account.issuer",
        "account.userId",
        "passkey.credentialID",
        "passkey.userId",
        "session.token",
        "session.userId",
        "twoFactor.secret",
        "twoFactor.userId",
        "user.email",
        "verification.identifier",
    ] {
        assert!(seen.contains(&column.to_owned()), "{column} is in no index: {seen:?}");
    }
    let account = tables.iter().find(|table| table.name == "account").unwrap();
    let unique = account.index(&["issuer", "accountId"]).unwrap();
    assert!(unique.unique && account.column("issuer").unwrap().nullable);
    let user = tables.iter().find(|table| table.name == "user").unwrap();
    assert!(user.column("twoFactorEnabled").unwrap().nullable);
    let two_factor = tables.iter().find(|table| table.name == "twoFactor").unwrap();
    assert_eq!(two_factor.primary_key, ["id"]);
    assert_eq!(two_factor.column("backupCodes").unwrap().kind, ColumnType::Text);
}

// spec: CLI-1
async fn a_second_install_fails_and_says_which_table_is_there(test: TestDatabase) {
    let plan = Plan::fresh(&schema([]));
    let app = App::installed(test.db, &schema([])).await;
    let before = tables_of(&app.database).await;
    let again = Migrations::new()
        .with(Migration::new("2026_01_01_000000_create_auth_tables", |_| {}, |_| {}))
        .with(plan.migration("2026_01_02_000000_create_auth_tables"));
    let error = Migrator::new(app.database.clone(), again).run().await.unwrap_err();
    let text = error.source_chain().join("\n");
    assert!(text.contains("2026_01_02_000000_create_auth_tables"), "{text}");
    assert!(text.contains("user") && text.contains("exist"), "{text}");
    assert_eq!(tables_of(&app.database).await, before);
}

// spec: CLI-8, CLI-9
async fn a_plugin_contributes_in_three_shapes(test: TestDatabase) {
    let contribution = SchemaContribution::new()
        .column("user", Column::text("nickname").nullable())
        .table(
            Table::new("invite")
                .column_with(Column::text("code"))
                .column_with(Column::reference("userId", "user")),
        )
        .unique_index("invite", ["userId", "code"])
        .index("user", ["nickname", "email"]);
    let app = App::installed(test.db, &schema([Plugin::new("invites").schema(contribution)])).await;
    let user = app.database.table_info("user").await.unwrap().unwrap();
    assert_eq!(user.column("nickname").unwrap().kind, ColumnType::String(191));
    assert_eq!(user.index(&["nickname", "email"]).unwrap().name, "user_nickname_email_idx");
    let invite = app.database.table_info("invite").await.unwrap().unwrap();
    assert!(invite.index(&["userId", "code"]).unwrap().unique);
    assert_eq!((&*invite.foreign_keys[0].table, &*invite.foreign_keys[0].columns[0]), ("user", "userId"));
    assert_eq!(invite.foreign_keys[0].on_delete, housekey_database::Action::Cascade);
}

// spec: CLI-11
async fn a_renamed_table_is_made_under_its_name(test: TestDatabase) {
    let names = |name: &str| TableNames { model_name: Some(name.into()), ..Default::default() };
    let renamed = TwoFactorOptions {
        schema: [("twoFactor".to_owned(), names("second_factors"))].into(),
        ..Default::default()
    };
    let renamed = schema([two_factor(renamed)]);
    let mut app = App::installed(test.db, &schema(with_two_factor())).await;
    let plan = app.catch_up(&renamed).await;
    assert_eq!(plan.name(), "add_two_factor_to_auth");
    assert!(
        plan.notes()[0].contains(r#"schema.rename("twoFactor", "second_factors")"#),
        "{:?}",
        plan.notes()
    );
    let table = app.database.table_info("second_factors").await.unwrap().unwrap();
    assert_eq!(table.index(&["secret"]).unwrap().name, "second_factors_secret_idx");
    assert!(app.database.has_table("twoFactor").await.unwrap(), "nothing is dropped");
}

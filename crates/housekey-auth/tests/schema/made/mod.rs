//! What `auth:schema` writes compiles and does what the plan does: the files beside this one are its work, byte for
//! byte. After a change run the test with HOUSEKEY_WRITE=1, which writes them anew, and read the difference.
#![allow(missing_docs, unreachable_pub, reason = "the files look as they do in an app")]

mod add_columns_to_user;
mod add_issuer_to_account;
mod add_passkey_to_auth;
mod add_two_factor_to_auth;
mod create_auth_tables;
mod index_session_token;

use std::path::Path;

use housekey_auth::schema::Plan;
use housekey_database::{Database, Driver, Schema};
use housekey_engine::options::{AdditionalField, FieldKind};

use crate::support::{App, engine, schema, schema_of, with_both, with_two_factor};

type Describe = fn(&mut Schema);

/// Name, the file's two directions.
const FILES: [(&str, Describe, Describe); 6] = [
    ("create_auth_tables", create_auth_tables::up, create_auth_tables::down),
    ("add_two_factor_to_auth", add_two_factor_to_auth::up, add_two_factor_to_auth::down),
    ("add_passkey_to_auth", add_passkey_to_auth::up, add_passkey_to_auth::down),
    ("add_columns_to_user", add_columns_to_user::up, add_columns_to_user::down),
    ("add_issuer_to_account", add_issuer_to_account::up, add_issuer_to_account::down),
    ("index_session_token", index_session_token::up, index_session_token::down),
];

// spec: CLI-1, CLI-2
#[tokio::test]
async fn every_file_is_what_the_command_writes_and_does_what_the_plan_does() {
    let plans = plans().await;
    assert_eq!(plans.len(), FILES.len());
    for (plan, (name, up, down)) in plans.iter().zip(FILES) {
        assert_eq!(plan.name(), name);
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/schema/made/{name}.rs"));
        if std::env::var_os("HOUSEKEY_WRITE").is_some() {
            std::fs::write(&path, plan.to_rust()).unwrap();
            continue;
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), plan.to_rust(), "{name}");
        for driver in Driver::ALL {
            let sql = |describe: &dyn Fn(&mut Schema)| {
                let mut schema = Schema::new(driver);
                describe(&mut schema);
                schema.to_sql().unwrap()
            };
            assert_eq!(sql(&up), sql(&|schema| plan.up(schema)), "{name} on {driver}");
            assert_eq!(sql(&down), sql(&|schema| plan.down(schema)), "{name} back on {driver}");
        }
    }
}

/// An app's life: each plan is what was missing after the one before.
async fn plans() -> Vec<Plan> {
    let mut app = App::new(Database::memory());
    let mut plans = vec![app.catch_up(&schema([])).await];
    plans.push(app.catch_up(&schema(with_two_factor())).await);
    plans.push(app.catch_up(&schema(with_both())).await);

    let mut grown = engine(with_both());
    let field = |kind, default| AdditionalField {
        kind,
        required: true,
        default_value: default,
        ..Default::default()
    };
    let fields = &mut grown.options.user.additional_fields;
    fields.insert("country".into(), field(FieldKind::String, None));
    fields.insert("joinedAt".into(), field(FieldKind::Date, Some("2026-01-01T00:00:00.000Z".into())));
    fields.insert("plan".into(), field(FieldKind::String, Some("\"free\"".into())));
    fields.insert("quota".into(), field(FieldKind::Number, Some(5_000_000_000_i64.into())));
    let grown = schema_of(grown);
    plans.push(app.catch_up(&grown).await);

    let without = |table: &mut housekey_database::Table| {
        table.drop_index_named("account_issuer_accountId_uidx");
        table.drop_column("issuer");
        table.text("accountId").change();
    };
    app.database.schema(|schema| schema.table("account", without)).await.unwrap();
    plans.push(app.catch_up(&grown).await);

    let without = |table: &mut housekey_database::Table| table.drop_index_named("session_token_unique");
    app.database.schema(|schema| schema.table("session", without)).await.unwrap();
    plans.push(app.catch_up(&grown).await);
    plans
}

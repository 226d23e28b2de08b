//! The schema as a migration writer sees it.

use super::*;
use crate::options::{AdditionalField, EngineOptions, ModelNames, RateLimitStorage, TableNames};

fn schema(options: &EngineOptions) -> Schema {
    build(options, std::iter::empty()).unwrap()
}

fn fields(table: &Table) -> Vec<&str> {
    table.columns.iter().map(|column| &*column.field).collect()
}

fn with_plugin(contribution: &SchemaContribution) -> Result<Schema, SchemaError> {
    build(&EngineOptions::default(), [("example", contribution)].into_iter())
}

#[test]
// spec: TBL-1
fn the_core_tables_are_those_of_the_reference() {
    let schema = schema(&EngineOptions::default());
    let keys: Vec<_> = schema.tables().iter().map(|table| table.key.as_str()).collect();
    assert_eq!(keys, ["user", "session", "account", "verification"]);
    let user = schema.table("user").unwrap();
    assert_eq!(fields(user), ["id", "name", "email", "emailVerified", "image", "createdAt", "updatedAt"]);
    let account = schema.table("account").unwrap();
    assert!(account.column("issuer").unwrap().nullable);
    let unique = account.indexes.iter().find(|index| index.unique).unwrap();
    assert_eq!(unique.name, "account_issuer_accountId_uidx");
    assert_eq!(unique.columns, ["issuer", "accountId"]);
    assert!(account.indexes.iter().any(|index| index.name == "account_userId_idx"));
}

#[test]
// spec: CLI-10
fn text_that_an_index_names_is_bounded() {
    let schema = schema(&EngineOptions::default());
    let bound = |table: &str, field: &str| schema.table(table).unwrap().column(field).unwrap().bound;
    assert_eq!(bound("session", "token"), Some(255));
    assert_eq!(bound("user", "email"), Some(255));
    assert_eq!(bound("verification", "identifier"), Some(255));
    assert_eq!(bound("account", "issuer"), Some(191));
    assert_eq!(bound("account", "accountId"), Some(191));
    assert_eq!(bound("verification", "value"), None);
}

#[test]
fn an_index_of_many_texts_shrinks_them_until_the_key_fits() {
    let mut table = Table::new("wide");
    for field in ["a", "b", "c", "d", "e", "f", "g", "h"] {
        table = table.column_with(Column::text(field));
    }
    let contribution =
        SchemaContribution::new().table(table).index("wide", ["a", "b", "c", "d", "e", "f", "g", "h"]);
    let schema = with_plugin(&contribution).unwrap();
    assert_eq!(schema.table("wide").unwrap().column("a").unwrap().bound, Some(96));
}

#[test]
// spec: CLI-8, CLI-9
fn a_plugin_adds_a_column_a_table_and_a_compound_index() {
    let contribution = SchemaContribution::new()
        .column("user", Column::text("nickname").nullable())
        .table(
            Table::new("invite")
                .column_with(Column::text("code"))
                .column_with(Column::reference("userId", "user").indexed()),
        )
        .unique_index("invite", ["userId", "code"])
        .index("session", ["userId", "expiresAt"]);
    let schema = with_plugin(&contribution).unwrap();
    assert!(schema.table("user").unwrap().column("nickname").unwrap().nullable);
    let names: Vec<_> =
        schema.table("invite").unwrap().indexes.iter().map(|index| index.name.as_str()).collect();
    assert_eq!(names, ["invite_userId_idx", "invite_userId_code_uidx"]);
    let session = schema.table("session").unwrap();
    assert!(session.indexes.iter().any(|index| index.name == "session_userId_expiresAt_idx"));
}

#[test]
// spec: CLI-11
fn a_renamed_table_takes_references_and_index_names_with_it() {
    let names = ModelNames::from([(
        "invite".into(),
        TableNames {
            model_name: Some("invitations".into()),
            fields: [("code".into(), "secret_code".into())].into(),
        },
    )]);
    let contribution = SchemaContribution::new()
        .table(Table::new("invite").column_with(Column::text("code").indexed()))
        .table(Table::new("guest").column_with(Column::reference("inviteId", "invite")))
        .names(&names);
    let schema = with_plugin(&contribution).unwrap();
    let invite = schema.table("invite").unwrap();
    assert_eq!(
        (invite.name.as_str(), invite.indexes[0].name.as_str()),
        ("invitations", "invitations_secret_code_idx")
    );
    let reference = schema.table("guest").unwrap().column("inviteId").unwrap().references.clone().unwrap();
    assert_eq!(reference.table_name, "invitations");
}

#[test]
fn columns_of_the_app_s_own_come_last_and_keep_their_rules() {
    let mut options = EngineOptions::default();
    let plan = AdditionalField {
        default_value: Some("free".into()),
        input: Some(false),
        unique: true,
        field_name: Some("plan_name".into()),
        ..AdditionalField::default()
    };
    options.user.additional_fields.insert("plan".into(), plan);
    let schema = schema(&options);
    let column = schema.table("user").unwrap().columns.last().unwrap();
    assert_eq!((&*column.field, column.name.as_str(), column.bound), ("plan", "plan_name", Some(255)));
    assert_eq!(column.default, Some(ColumnDefault::Value("free".into())));
    assert!(!column.input && column.nullable);
}

#[test]
fn the_table_of_counters_exists_only_when_they_are_in_the_database_and_comes_last() {
    let mut options = EngineOptions::default();
    options.rate_limit.storage = RateLimitStorage::Database;
    options.rate_limit.model_name = Some("limits".into());
    assert_eq!(schema(&options).tables().last().unwrap().name, "limits");
}

#[test]
fn what_cannot_be_is_refused_with_the_plugin_s_name() {
    let cases = [
        (SchemaContribution::new().column("nowhere", Column::text("x")), "no table nowhere"),
        (SchemaContribution::new().column("user", Column::text("email")), "user.email exists"),
        (SchemaContribution::new().index("user", ["email", "shoe"]), "names shoe"),
        (SchemaContribution::new().index("user", ["email", "email"]), "different columns"),
        (SchemaContribution::new().table(Table::new("user")), "table user already"),
        (
            SchemaContribution::new().table(Table::new("x").column_with(Column::reference("y", "z"))),
            "table z",
        ),
    ];
    for (contribution, part) in cases {
        let error = with_plugin(&contribution).unwrap_err().to_string();
        assert!(error.contains(part), "{error}");
    }
}

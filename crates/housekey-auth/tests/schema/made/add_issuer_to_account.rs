use housekey::database::Schema;

/// What config/auth.rs asks for:
/// - bound of account.accountId
/// - column account.issuer
/// - index of account (issuer, accountId)
pub fn up(schema: &mut Schema) {
    schema.table("account", |table| {
        table.string("accountId", 191).change();
        table.string("issuer", 191).nullable();
    });

    // Accounts with a password get the issuer that new ones have; those of other providers have none.
    let [table, column, other] = ["account", "issuer", "providerId"].map(|name| schema.driver().quote(name));
    schema.raw(format!("update {table} set {column} = 'local:credential' where {other} = 'credential'"));

    schema.table("account", |table| {
        table.unique(["issuer", "accountId"]).name("account_issuer_accountId_uidx");
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.table("account", |table| {
        table.drop_index_named("account_issuer_accountId_uidx");
        table.drop_column("issuer");
        table.text("accountId").change();
    });
}

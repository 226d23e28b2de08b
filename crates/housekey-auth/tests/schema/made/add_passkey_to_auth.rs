use housekey::database::Schema;

/// What config/auth.rs asks for:
/// - table passkey
pub fn up(schema: &mut Schema) {
    schema.create("passkey", |table| {
        table.string("id", 36).primary();
        table.text("name").nullable();
        table.text("publicKey");
        table.string("userId", 36).references("user", "id").on_delete_cascade();
        table.string("credentialID", 255);
        table.integer("counter");
        table.text("deviceType");
        table.boolean("backedUp");
        table.text("transports").nullable();
        table.timestamp("createdAt").nullable();
        table.text("aaguid").nullable();
        table.index(["userId"]).name("passkey_userId_idx");
        table.index(["credentialID"]).name("passkey_credentialID_idx");
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.drop("passkey");
}

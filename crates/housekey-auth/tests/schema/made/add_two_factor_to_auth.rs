use housekey::database::Schema;

/// What config/auth.rs asks for:
/// - table twoFactor
/// - column user.twoFactorEnabled
pub fn up(schema: &mut Schema) {
    schema.create("twoFactor", |table| {
        table.string("id", 36).primary();
        table.string("secret", 255);
        table.text("backupCodes");
        table.string("userId", 36).references("user", "id").on_delete_cascade();
        table.boolean("verified").nullable().default(true);
        table.integer("failedVerificationCount").nullable().default(0);
        table.timestamp("lockedUntil").nullable();
        table.index(["secret"]).name("twoFactor_secret_idx");
        table.index(["userId"]).name("twoFactor_userId_idx");
    });

    schema.table("user", |table| {
        table.boolean("twoFactorEnabled").nullable().default(false);
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.table("user", |table| {
        table.drop_column("twoFactorEnabled");
    });
    schema.drop("twoFactor");
}

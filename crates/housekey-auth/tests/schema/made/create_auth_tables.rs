use housekey::database::Schema;

/// What config/auth.rs asks for:
/// - table user
/// - table session
/// - table account
/// - table verification
pub fn up(schema: &mut Schema) {
    schema.create("user", |table| {
        table.string("id", 36).primary();
        table.string("name", 255);
        table.string("email", 255).unique();
        table.boolean("emailVerified").default(false);
        table.text("image").nullable();
        table.timestamp("createdAt").default_now();
        table.timestamp("updatedAt").default_now();
    });

    schema.create("session", |table| {
        table.string("id", 36).primary();
        table.timestamp("expiresAt");
        table.string("token", 255).unique();
        table.timestamp("createdAt").default_now();
        table.timestamp("updatedAt");
        table.text("ipAddress").nullable();
        table.text("userAgent").nullable();
        table.string("userId", 36).references("user", "id").on_delete_cascade();
        table.index(["userId"]).name("session_userId_idx");
    });

    schema.create("account", |table| {
        table.string("id", 36).primary();
        table.string("issuer", 191).nullable();
        table.string("accountId", 191);
        table.text("providerId");
        table.string("userId", 36).references("user", "id").on_delete_cascade();
        table.text("accessToken").nullable();
        table.text("refreshToken").nullable();
        table.text("idToken").nullable();
        table.timestamp("accessTokenExpiresAt").nullable();
        table.timestamp("refreshTokenExpiresAt").nullable();
        table.text("scope").nullable();
        table.text("password").nullable();
        table.timestamp("createdAt").default_now();
        table.timestamp("updatedAt");
        table.index(["userId"]).name("account_userId_idx");
        table.unique(["issuer", "accountId"]).name("account_issuer_accountId_uidx");
    });

    schema.create("verification", |table| {
        table.string("id", 36).primary();
        table.string("identifier", 255);
        table.text("value");
        table.timestamp("expiresAt");
        table.timestamp("createdAt").default_now();
        table.timestamp("updatedAt").default_now();
        table.index(["identifier"]).name("verification_identifier_idx");
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.drop("verification");
    schema.drop("account");
    schema.drop("session");
    schema.drop("user");
}

use housekey::database::Schema;

/// What config/auth.rs asks for:
/// - table user
/// - table session
/// - table account
/// - table verification
/// - table twoFactor
/// - table passkey
/// - table securityEvent
pub fn up(schema: &mut Schema) {
    schema.create("user", |table| {
        table.string("id", 36).primary();
        table.string("name", 255);
        table.string("email", 255).unique();
        table.boolean("emailVerified").default(false);
        table.text("image").nullable();
        table.timestamp("createdAt").default_now();
        table.timestamp("updatedAt").default_now();
        table.boolean("twoFactorEnabled").nullable().default(false);
        table.text("role").nullable().default("reader");
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
        table.timestamp("lastUsedAt").nullable();
        table.index(["userId"]).name("passkey_userId_idx");
        table.index(["credentialID"]).name("passkey_credentialID_idx");
    });

    schema.create("securityEvent", |table| {
        table.string("id", 36).primary();
        table.string("kind", 64);
        table.string("userId", 36).nullable();
        table.string("sessionId", 36).nullable();
        table.string("address", 64).nullable();
        table.text("userAgent").nullable();
        table.json("detail").nullable();
        table.timestamp("createdAt").default_now();
        table.index(["createdAt"]).name("securityEvent_createdAt_idx");
        table.index(["userId", "createdAt"]).name("securityEvent_userId_createdAt_idx");
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.drop("securityEvent");
    schema.drop("passkey");
    schema.drop("twoFactor");
    schema.drop("verification");
    schema.drop("account");
    schema.drop("session");
    schema.drop("user");
}

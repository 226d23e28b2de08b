use housekey::database::Schema;

/// What config/auth.rs asks for:
/// - column user.country
/// - column user.joinedAt
/// - column user.plan
/// - column user.quota
pub fn up(schema: &mut Schema) {
    schema.table("user", |table| {
        // Required, but the rows that are there have no value: fill them, then leave out `nullable()`.
        table.text("country").nullable();
        // Required, but the rows that are there have no value: fill them, then leave out `nullable()`.
        table.timestamp("joinedAt").nullable();
        table.text("plan").default("\"free\"");
        table.big_integer("quota").default(5000000000_i64);
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.table("user", |table| {
        table.drop_column("quota");
        table.drop_column("plan");
        table.drop_column("joinedAt");
        table.drop_column("country");
    });
}

use housekey::database::Schema;

/// What config/auth.rs asks for:
/// - index of session (token)
pub fn up(schema: &mut Schema) {
    schema.table("session", |table| {
        table.unique(["token"]);
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.table("session", |table| {
        table.drop_unique(["token"]);
    });
}

use housekey::database::Schema;

/// What the app remembers about its visitors.
pub fn up(schema: &mut Schema) {
    schema.create("sessions", |table| {
        table.string("id", 32).primary();
        table.big_integer("version");
        table.big_integer("expires_at").index();
        table.binary("payload");
    });
}

/// Removes it: every visitor starts anew.
pub fn down(schema: &mut Schema) {
    schema.drop("sessions");
}

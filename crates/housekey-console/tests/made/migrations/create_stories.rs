use housekey::database::Schema;

/// What changes.
pub fn up(schema: &mut Schema) {
    schema.create("stories", |table| {
        table.id();
        table.string("name", 200);
        table.timestamps();
    });
}

/// What takes it back.
pub fn down(schema: &mut Schema) {
    schema.drop("stories");
}

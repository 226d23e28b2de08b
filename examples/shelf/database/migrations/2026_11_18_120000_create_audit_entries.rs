use housekey::database::Schema;

pub fn up(schema: &mut Schema) {
    schema.create("audit_entries", |table| {
        table.id();
        // No reference: what somebody did stays written when their account is gone.
        table.string("user_id", 36).nullable();
        table.big_integer("book_id").references("books", "id").index();
        table.string("action", 20);
        table.string("details", 300);
        table.timestamps();
    });
}

pub fn down(schema: &mut Schema) {
    schema.drop("audit_entries");
}

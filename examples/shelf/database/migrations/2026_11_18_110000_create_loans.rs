use housekey::database::Schema;

pub fn up(schema: &mut Schema) {
    schema.create("loans", |table| {
        table.id();
        table.big_integer("book_id").references("books", "id");
        // An account that is deleted leaves its loans behind, for the library to settle.
        table.string("user_id", 36).nullable().references("user", "id").on_delete_set_null().index();
        table.date("lent_on");
        table.date("due_on");
        table.date("returned_on").nullable();
        table.date("reminded_on").nullable();
        // True while the book is out, empty afterwards. Empty values are never equal, so one loan of a book can be open.
        table.boolean("is_open").nullable();
        table.timestamps();
        table.unique(["book_id", "is_open"]);
        table.index(["is_open", "due_on"]);
    });
}

pub fn down(schema: &mut Schema) {
    schema.drop("loans");
}

use housekey::database::Schema;

pub fn up(schema: &mut Schema) {
    schema.create("books", |table| {
        table.id();
        table.string("isbn", 13).unique();
        table.string("title", 200);
        table.string("author", 120);
        table.integer("pages").nullable();
        table.decimal("price", 8, 2);
        table.string("condition", 20);
        table.date("bought_on");
        table.string("cover", 200).nullable();
        table.big_integer("version").default(1);
        table.timestamps();
        table.timestamp("deleted_at").nullable();
        table.index(["title"]);
    });
    schema.create("tags", |table| {
        table.id();
        table.string("name", 40).unique();
    });
    schema.create("book_tag", |table| {
        table.big_integer("book_id").references("books", "id").on_delete_cascade();
        table.big_integer("tag_id").references("tags", "id").on_delete_cascade().index();
        table.primary(["book_id", "tag_id"]);
    });
}

pub fn down(schema: &mut Schema) {
    schema.drop("book_tag");
    schema.drop("tags");
    schema.drop("books");
}

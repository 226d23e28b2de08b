use housekey::database::Schema;

/// What the cache holds.
pub fn up(schema: &mut Schema) {
    schema.create("cache", |table| {
        // A digest of the key: the key itself can be longer than any engine indexes.
        table.string("id", 64).primary();
        table.binary("key");
        table.binary("value").nullable();
        table.big_integer("number").nullable();
        table.big_integer("expires_at").nullable().index();
    });
}

/// Removes it. What a cache holds can be found out again.
pub fn down(schema: &mut Schema) {
    schema.drop("cache");
}

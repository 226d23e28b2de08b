use housekey_database::Schema;

pub(super) const TABLE: &str = "cache";

/// Makes the table of the cache, in a migration.
///
/// ```
/// use housekey_database::{Driver, Schema};
///
/// pub fn up(schema: &mut Schema) {
///     housekey_cache::database::create_table(schema);
/// }
///
/// pub fn down(schema: &mut Schema) {
///     housekey_cache::database::drop_table(schema);
/// }
///
/// let mut schema = Schema::new(Driver::Sqlite);
/// up(&mut schema);
/// down(&mut schema);
/// assert!(schema.to_sql().unwrap()[0].contains("cache"));
/// ```
pub fn create_table(schema: &mut Schema) {
    schema.create(TABLE, |table| {
        // The key itself can be longer than any engine indexes, and hold bytes that text cannot.
        table.string("id", 64).primary();
        table.binary("key");
        table.binary("value").nullable();
        table.big_integer("number").nullable();
        table.big_integer("expires_at").nullable().index();
    });
}

pub fn drop_table(schema: &mut Schema) {
    schema.drop_if_exists(TABLE);
}

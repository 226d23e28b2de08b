use housekey::database::Schema;

/// Notifications people read in the app.
pub fn up(schema: &mut Schema) {
    schema.create("notifications", |table| {
        table.string("id", 36).primary();
        table.string("type", 191);
        table.string("notifiable_type", 64);
        table.string("notifiable_id", 64);
        table.json("data");
        table.timestamp("read_at").nullable();
        table.timestamp("created_at");
        // Serves "the unread ones of somebody, newest first".
        table.index(["notifiable_type", "notifiable_id", "read_at", "created_at"]);
    });
}

/// Removes it, and every notification in it.
pub fn down(schema: &mut Schema) {
    schema.drop("notifications");
}

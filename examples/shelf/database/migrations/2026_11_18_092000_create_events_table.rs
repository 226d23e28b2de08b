use housekey::database::Schema;

/// Durable events: one row for each listener that is to be told.
pub fn up(schema: &mut Schema) {
    schema.create("event_outbox", |table| {
        table.string("id", 26).primary();
        table.string("event_id", 26);
        table.string("event", 200);
        table.string("listener", 200);
        table.text("payload");
        table.integer("attempts");
        // Milliseconds since 1970; nothing for one that was given up. One that a relay has in hand becomes available when
        // the lease ends.
        table.big_integer("available_at").nullable();
        table.string("lease", 43).nullable();
        table.text("error").nullable();
        table.timestamp("created_at");
        table.index(["available_at", "id"]);
    });
}

/// Removes it, and every event in it.
pub fn down(schema: &mut Schema) {
    schema.drop("event_outbox");
}

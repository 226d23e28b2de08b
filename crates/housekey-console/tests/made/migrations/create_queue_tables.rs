use housekey::database::Schema;

/// Jobs that wait in the queue, and jobs that were given up.
pub fn up(schema: &mut Schema) {
    schema.create("jobs", |table| {
        table.string("id", 26).primary();
        table.string("queue", 100);
        table.string("name", 200);
        table.text("payload");
        table.integer("attempts");
        // Milliseconds since 1970. A job on loan to a worker is one that becomes available when the lease ends.
        table.big_integer("available_at");
        table.string("lease", 43).nullable();
        // The lock of a unique job, how many milliseconds it lasts and when that is over.
        table.string("unique_key", 43).nullable().unique();
        table.big_integer("unique_ms").nullable();
        table.big_integer("unique_until").nullable();
        // What follows it.
        table.text("chain").nullable();
        table.timestamp("created_at");
        table.index(["queue", "available_at", "id"]);
    });
    schema.create("failed_jobs", |table| {
        table.string("id", 26).primary();
        table.string("queue", 100);
        table.string("name", 200);
        table.text("payload");
        table.integer("attempts");
        table.text("error");
        table.string("unique_key", 43).nullable();
        table.big_integer("unique_ms").nullable();
        table.text("chain").nullable();
        table.timestamp("failed_at").index();
    });
}

/// Removes them, and every job in them.
pub fn down(schema: &mut Schema) {
    schema.drop("failed_jobs");
    schema.drop("jobs");
}

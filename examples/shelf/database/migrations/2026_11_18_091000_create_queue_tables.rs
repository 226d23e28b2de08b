use housekey::database::Schema;

/// Jobs that wait in the queue, jobs that were given up, and batches of jobs.
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
        table.string("batch_id", 26).nullable();
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
    schema.create("job_batches", |table| {
        table.string("id", 26).primary();
        table.string("name", 200);
        table.big_integer("total");
        table.big_integer("done");
        table.big_integer("failed");
        table.big_integer("skipped");
        table.boolean("allows_failures");
        table.boolean("cancelled");
        // Jobs that are queued when it has succeeded, when its first job has failed and when it has ended.
        table.text("then_job").nullable();
        table.text("catch_job").nullable();
        table.text("finally_job").nullable();
        // Milliseconds since 1970.
        table.big_integer("created_at");
        table.big_integer("finished_at").nullable().index();
    });
}

/// Removes them, and every job in them.
pub fn down(schema: &mut Schema) {
    schema.drop("job_batches");
    schema.drop("failed_jobs");
    schema.drop("jobs");
}

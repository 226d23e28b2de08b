use housekey::database::Schema;

/// The newest run of each scheduled task.
pub fn up(schema: &mut Schema) {
    schema.create("schedule_runs", |table| {
        table.string("name", 150).primary();
        table.big_integer("revision");
        // Moments are milliseconds since 1970. This one is a time of the schedule, not the time of the run.
        table.big_integer("time");
        table.big_integer("attempts");
        table.string("owner", 43).nullable();
        table.big_integer("lease_ends");
        table.string("outcome", 20).nullable();
        table.big_integer("ended_at").nullable();
    });
}

/// Removes it. Tasks are then seen as new.
pub fn down(schema: &mut Schema) {
    schema.drop("schedule_runs");
}

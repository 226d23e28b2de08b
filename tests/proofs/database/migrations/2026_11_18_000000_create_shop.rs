use housekey::database::Schema;

pub fn up(schema: &mut Schema) {
    housekey::queue::tables::create(schema);
    housekey::events::tables::create(schema);
    housekey::schedule::tables::create(schema);
    schema.create("orders", |table| {
        table.big_integer("number").primary();
    });
    // Who was told of which order; for a job, which one it was.
    schema.create("told", |table| {
        table.id();
        table.string("who", 40);
        table.big_integer("number");
        table.string("job", 40).nullable();
    });
    // What the schedule did: `begun` and `done` of a closure for a time, or a job.
    schema.create("ran", |table| {
        table.id();
        table.string("task", 40);
        table.string("what", 10);
        table.big_integer("time").nullable();
        table.string("run", 40).nullable();
        table.string("job", 40).nullable();
    });
}

pub fn down(schema: &mut Schema) {
    for table in ["ran", "told", "orders"] {
        schema.drop(table);
    }
    housekey::schedule::tables::drop(schema);
    housekey::events::tables::drop(schema);
    housekey::queue::tables::drop(schema);
}

// says: no field for the key `id`; name another with #[model(key = "…")]
#[derive(FromRow, Model)]
#[model(table = "mistakes")]
pub struct Mistake {
    number: i64,
}

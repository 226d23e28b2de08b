// says: which table? Say #[model(table = "…")]
#[derive(FromRow, Model)]
pub struct Mistake {
    id: i64,
}

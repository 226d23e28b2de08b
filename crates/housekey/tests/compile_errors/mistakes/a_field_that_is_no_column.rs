// says: `Price` is not the type of a column
// says: is kept as JSON with `#[row(json)]`
// says:     price: Price,
// says:            ^^^^^ cannot be read from a column
#[derive(FromRow)]
pub struct Mistake {
    id: i64,
    price: Price,
}

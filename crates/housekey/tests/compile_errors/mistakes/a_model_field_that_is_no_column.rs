// says: `Price` is not the type of a column
// says: the trait `From<Price>` is not implemented for `housekey::database::Value`
// errors: 4
#[derive(FromRow, Model)]
#[model(table = "mistakes")]
pub struct Mistake {
    id: i64,
    price: Price,
}

// says: FromRow is for structs: a row has one value per column
#[derive(FromRow)]
pub enum Mistake {
    One,
}

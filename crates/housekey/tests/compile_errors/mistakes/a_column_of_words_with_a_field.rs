// says: a column holds a word, and no fields: keep this type as JSON with #[row(json)]
// says:     Worn { since: i64 },
#[derive(housekey::database::DbEnum)]
pub enum Condition {
    New,
    Worn { since: i64 },
}

// says: expected `Error`, found integer
pub fn mistake() -> housekey::Error {
    7
}

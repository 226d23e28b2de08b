use crate::Record;

/// What ends when the owner of an address takes back an account that somebody else may have made.
#[derive(Clone)]
pub(crate) struct Recovery {
    /// The engine's name for the table.
    pub(crate) table: String,
    /// The field that names the user.
    pub(crate) owner: &'static str,
    /// The fields of the user that change with it.
    pub(crate) user: Record,
}

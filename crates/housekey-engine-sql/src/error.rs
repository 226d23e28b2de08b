use housekey_core::Error;
use housekey_database::DatabaseError;
use housekey_engine::storage::StorageError;

/// A unique rule that was broken is a conflict; everything else is a failure, told in the database's words.
pub(crate) fn explain(error: &Error) -> StorageError {
    let is_conflict = DatabaseError::of(error).is_some_and(DatabaseError::is_unique_violation);
    if is_conflict {
        StorageError::conflict(error.to_string())
    } else {
        StorageError::failure(error.to_string())
    }
}

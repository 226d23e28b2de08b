use housekey_core::Error;
use housekey_database::DatabaseError;
use housekey_engine::storage::StorageError;

/// A unique rule that was broken is a conflict, and two who waited for each other can try again; everything else is a failure, told in
/// the database's words.
pub(crate) fn explain(error: &Error) -> StorageError {
    match DatabaseError::of(error) {
        Some(known) if known.is_unique_violation() => StorageError::conflict(error.to_string()),
        Some(known) if known.is_deadlock() => StorageError::deadlock(error.to_string()),
        _ => StorageError::failure(error.to_string()),
    }
}

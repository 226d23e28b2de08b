use serde::{Deserialize, Serialize};

use super::TableNames;

/// Short-lived values: reset links, challenges.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VerificationOptions {
    /// What the table and its columns are called.
    #[serde(flatten)]
    pub names: TableNames,
    /// Leaves expired rows in place.
    pub disable_cleanup: bool,
    pub store_identifier: StoredIdentifier,
}

/// How the identifiers of verification rows are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StoredIdentifier {
    /// As they are.
    #[default]
    Plain,
    /// As their SHA-256, so that reading the table gives no link away. A hash does not tell what it is of: whatever ends the
    /// reset links of a user ends their trusted devices and challenges, too. Rows from before are not found any more.
    Hashed,
}

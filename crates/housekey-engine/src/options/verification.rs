use serde::{Deserialize, Serialize};

use super::TableNames;

/// Short-lived values: reset links, challenges.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct VerificationOptions {
    /// The table's names.
    #[serde(flatten)]
    pub names: TableNames,
    /// Leaves expired rows in place.
    pub disable_cleanup: bool,
    /// How identifiers are stored.
    pub store_identifier: StoredIdentifier,
}

/// How the identifiers of verification rows are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum StoredIdentifier {
    /// As they are.
    #[default]
    Plain,
    /// As their SHA-256, so that reading the table gives no link away.
    Hashed,
}

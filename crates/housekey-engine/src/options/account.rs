use serde::{Deserialize, Serialize};

use super::{AdditionalFields, TableNames};

/// Accounts: how a user signs in.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountOptions {
    /// The table's names.
    #[serde(flatten)]
    pub names: TableNames,
    /// Columns of one's own.
    pub additional_fields: AdditionalFields,
    /// Several ways to sign in for one user.
    pub account_linking: AccountLinking,
}

/// Several ways to sign in for one user. The endpoint to unlink one exists when this is on.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountLinking {
    /// Whether people may unlink their accounts.
    pub enabled: bool,
    /// Whether the last account may be unlinked.
    pub allow_unlinking_all: bool,
}

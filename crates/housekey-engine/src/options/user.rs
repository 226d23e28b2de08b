use serde::{Deserialize, Serialize};

use super::{AdditionalFields, ChangeEmailMail, LinkMail, TableNames};
use crate::{Callback, Record, User};

/// Users: their table, changing their address, deleting them.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct UserOptions {
    /// What the table and its columns are called.
    #[serde(flatten)]
    pub names: TableNames,
    /// Columns of one's own.
    pub additional_fields: AdditionalFields,
    pub change_email: ChangeEmail,
    pub delete_user: DeleteUser,
    /// Asked before somebody who comes from a provider signs in, is made a user or is connected; may refuse.
    pub validate_user_info: Callback<UserInfoCheck, Option<UserInfoRefusal>>,
}

/// Somebody who comes from a provider, before anything is done for them.
#[derive(Clone, Debug)]
pub struct UserInfoCheck {
    /// Name, address, picture and the columns of one's own, as the provider has them.
    pub user: Record,
    /// What is about to happen: `create-user`, `sign-in` or `link-account`.
    pub action: &'static str,
    pub provider_id: String,
    /// The profile as the provider wrote it.
    pub profile: serde_json::Value,
}

/// Why somebody is not let in. Both are shown to them, and to whoever reads the address that they are sent to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UserInfoRefusal {
    /// A code: `domain_not_allowed`.
    pub error: String,
    /// A sentence.
    pub error_description: Option<String>,
}

/// Changing one's address. Off until enabled.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ChangeEmail {
    /// Whether the endpoint exists.
    pub enabled: bool,
    /// Asks the holder of the old, proven address. Without it the new address alone is asked.
    pub send_change_email_confirmation: Callback<ChangeEmailMail>,
    /// Whether an address that was never proven is replaced at once.
    pub update_email_without_verification: bool,
    /// Whether a change that is under way is remembered: then it can be
    /// [cancelled](crate::Api::cancel_change_email), a new one takes its place, and each of its links works once. The
    /// reference remembers nothing: there every link works until it is too old. Off by default, as there.
    pub cancellable: bool,
    /// Whether the other sessions of the account end when its address has changed. Off by default, as in the reference.
    pub revoke_other_sessions: bool,
}

/// Deleting one's account. Off until enabled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DeleteUser {
    /// Whether the endpoints exist.
    pub enabled: bool,
    /// Sends a link that must be opened first.
    pub send_delete_account_verification: Callback<LinkMail>,
    /// Told before; an error keeps it from happening.
    pub before_delete: Callback<User>,
    pub after_delete: Callback<User>,
    /// Seconds that the link lives.
    pub delete_token_expires_in: u32,
}

impl Default for DeleteUser {
    fn default() -> Self {
        Self {
            enabled: false,
            send_delete_account_verification: Callback::unset(),
            before_delete: Callback::unset(),
            after_delete: Callback::unset(),
            delete_token_expires_in: 86_400,
        }
    }
}

use std::sync::Arc;

use crate::options::ModelNames;
use crate::{Callback, SignedIn};

#[derive(Clone, Debug, Default)]
pub struct AnonymousOptions {
    /// Told when somebody who came anonymously signed in, to bring over what was theirs. The anonymous user is deleted when it has
    /// succeeded, and with it every row that refers to it.
    pub on_link_account: Callback<LinkedAccount>,
    /// Keeps anonymous users when they were linked, and takes away the endpoint's power to delete them. Their sessions end all the
    /// same.
    pub disable_delete_anonymous_user: bool,
    /// The domain of the made-up addresses: `temp-…@` it. When unset, one that no mail can ever reach.
    pub email_domain_name: Option<String>,
    pub generate_random_email: Callback<(), String>,
    /// Makes up what they are called; `Anonymous` when unset.
    pub generate_name: Callback<(), String>,
    /// Another name for the column.
    pub schema: ModelNames,
}

/// Somebody who came anonymously and signed in.
#[derive(Clone, Debug)]
pub struct LinkedAccount {
    /// Who they were, and in which session.
    pub anonymous: Arc<SignedIn>,
    /// Who they are, and in which session.
    pub user: Arc<SignedIn>,
}

//! Usernames, several accounts, visitors and the last method, as a test asks for them: what JSON can say, in the reference's shape.

use housekey_engine::Plugin;
use housekey_engine::plugins::{
    AnonymousOptions, LastLoginMethodOptions, MultiSessionOptions, UsernameOptions, anonymous,
    last_login_method, multi_session, username,
};
use serde::Deserialize;

use crate::postbox::Postbox;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Username {
    min_username_length: Option<usize>,
    max_username_length: Option<usize>,
    username_normalization: Option<bool>,
    display_username: Option<bool>,
    immutable_username: bool,
}

impl Username {
    pub(crate) fn plugin(self) -> Plugin {
        let usual = UsernameOptions::default();
        username(UsernameOptions {
            min_username_length: self.min_username_length.unwrap_or(usual.min_username_length),
            max_username_length: self.max_username_length.unwrap_or(usual.max_username_length),
            username_normalization: self.username_normalization.unwrap_or(usual.username_normalization),
            display_username: self.display_username.unwrap_or(usual.display_username),
            immutable_username: self.immutable_username,
            ..UsernameOptions::default()
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct Anonymous {
    email_domain_name: Option<String>,
    disable_delete_anonymous_user: bool,
}

impl Anonymous {
    pub(crate) fn plugin(self, postbox: &Postbox) -> Plugin {
        anonymous(AnonymousOptions {
            on_link_account: postbox.links_of_visitors("onLinkAccount"),
            email_domain_name: self.email_domain_name,
            disable_delete_anonymous_user: self.disable_delete_anonymous_user,
            ..AnonymousOptions::default()
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct MultiSession {
    maximum_sessions: Option<usize>,
}

impl MultiSession {
    pub(crate) fn plugin(self) -> Plugin {
        let usual = MultiSessionOptions::default();
        multi_session(MultiSessionOptions {
            maximum_sessions: self.maximum_sessions.unwrap_or(usual.maximum_sessions),
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct LastLoginMethod {
    cookie_name: Option<String>,
    max_age: Option<u32>,
    store_in_database: bool,
}

impl LastLoginMethod {
    pub(crate) fn plugin(self) -> Plugin {
        let usual = LastLoginMethodOptions::default();
        last_login_method(LastLoginMethodOptions {
            cookie_name: self.cookie_name.unwrap_or(usual.cookie_name),
            max_age: self.max_age.unwrap_or(usual.max_age),
            store_in_database: self.store_in_database,
            ..LastLoginMethodOptions::default()
        })
    }
}

use serde::{Deserialize, Serialize};

use super::{AdditionalFields, OriginRequest, TableNames};
use crate::Callback;

/// Accounts: how a user signs in.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountOptions {
    /// What the table and its columns are called.
    #[serde(flatten)]
    pub names: TableNames,
    /// Columns of one's own.
    pub additional_fields: AdditionalFields,
    /// Several ways to sign in for one user.
    pub account_linking: AccountLinking,
    /// Whether a sign-in with a provider stores the tokens that came with it.
    pub update_account_on_sign_in: bool,
    /// Whether access and refresh tokens of providers are encrypted in the table. Tokens that lie there in clear are read
    /// all the same. Off by default, as in the reference.
    #[serde(rename = "encryptOAuthTokens")]
    pub encrypt_oauth_tokens: bool,
    /// Where it is kept what a sign-in with a provider began with, until the person comes back.
    pub store_state_strategy: StateStrategy,
    /// Believes a state without the cookie that says that this browser began with it. Anybody who makes a person follow a
    /// link can then sign them in as somebody else: only for clients that keep no cookies.
    pub skip_state_cookie_check: bool,
    /// Keeps the account of the last sign-in in an encrypted cookie, so that a client can ask for its access token without
    /// naming it.
    pub store_account_cookie: bool,
}

impl Default for AccountOptions {
    fn default() -> Self {
        Self {
            names: TableNames::default(),
            additional_fields: AdditionalFields::default(),
            account_linking: AccountLinking::default(),
            update_account_on_sign_in: true,
            encrypt_oauth_tokens: false,
            store_state_strategy: StateStrategy::Database,
            skip_state_cookie_check: false,
            store_account_cookie: false,
        }
    }
}

/// Where it is kept what a sign-in with a provider began with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum StateStrategy {
    /// In a row, bound to the browser by a cookie.
    #[default]
    Database,
    /// In an encrypted cookie. Each takes about a kilobyte: fewer sign-ins can be under way at once in a browser.
    Cookie,
}

/// Several ways to sign in for one user.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountLinking {
    /// Whether a user may have several. Unset: when there are providers to sign in with. The endpoint to unlink an account
    /// exists when this is on.
    pub enabled: Option<bool>,
    /// Whether the last way to sign in may be unlinked.
    pub allow_unlinking_all: bool,
    /// Providers whose word for an address is taken even when they do not say that they proved it.
    pub trusted_providers: Vec<String>,
    /// More of them, decided per request.
    pub trusted_providers_for: Callback<OriginRequest, Vec<String>>,
    /// Whether a user may connect an account with another address than their own.
    pub allow_different_emails: bool,
    /// Connects accounts only when their owner, signed in, asks for it: never by the address alone.
    pub disable_implicit_linking: bool,
    /// Connects by the address only where our own user has proved it, too. Without this, whoever signs up with an address
    /// that is not theirs waits for its owner to come with a provider, and is in the same account then.
    pub require_local_email_verified: bool,
    /// Whether name and picture are taken over when an account is connected.
    pub update_user_info_on_link: bool,
}

impl Default for AccountLinking {
    fn default() -> Self {
        Self {
            enabled: None,
            allow_unlinking_all: false,
            trusted_providers: Vec::new(),
            trusted_providers_for: Callback::unset(),
            allow_different_emails: false,
            disable_implicit_linking: false,
            require_local_email_verified: true,
            update_user_info_on_link: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    // spec: CFG-5
    fn keys_are_spelled_as_in_the_reference() {
        let options: AccountOptions = serde_json::from_value(serde_json::json!({
            "encryptOAuthTokens": true,
            "storeStateStrategy": "cookie",
            "accountLinking": { "trustedProviders": ["google"], "requireLocalEmailVerified": false },
        }))
        .unwrap();
        assert!(options.encrypt_oauth_tokens && options.update_account_on_sign_in);
        assert_eq!(options.store_state_strategy, StateStrategy::Cookie);
        assert_eq!(options.account_linking.trusted_providers, ["google"]);
        assert!(!options.account_linking.require_local_email_verified);
        assert_eq!(options.account_linking.enabled, None);
    }
}

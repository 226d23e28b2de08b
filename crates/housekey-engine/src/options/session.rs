use std::sync::Arc;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AdditionalFields, TableNames};
use crate::{Callback, SignedIn};

/// Sessions: their table, life, renewal and the cookie cache.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionOptions {
    /// What the table and its columns are called.
    #[serde(flatten)]
    pub names: TableNames,
    /// Columns of one's own. With one that clients may set, `/update-session` exists.
    pub additional_fields: AdditionalFields,
    /// Seconds that a session lives after its last renewal.
    pub expires_in: u32,
    /// Seconds after sign-in at which a session ends, however often it was renewed. 0: never, as in the reference.
    pub max_lifetime: u32,
    /// Seconds between renewals.
    pub update_age: u32,
    /// Seconds after sign-in during which a session may do what asks for a fresh one. 0: always.
    pub fresh_age: u32,
    /// Whether a sign-in ends the session that its browser had, whoever's it was. Off by default, as in the reference, where
    /// that one goes on without anybody who would end it.
    pub revoke_on_sign_in: bool,
    pub disable_session_refresh: bool,
    /// Renews on `POST /get-session` only, so that a GET never writes.
    pub defer_session_refresh: bool,
    /// A copy of session and user in a cookie.
    pub cookie_cache: CookieCache,
    /// Whether people may list and end their sessions, and list the ways in which they can sign in.
    pub management: bool,
}

impl Default for SessionOptions {
    fn default() -> Self {
        Self {
            names: TableNames::default(),
            additional_fields: AdditionalFields::new(),
            expires_in: 604_800,
            max_lifetime: 0,
            update_age: 86_400,
            fresh_age: 86_400,
            revoke_on_sign_in: false,
            disable_session_refresh: false,
            defer_session_refresh: false,
            cookie_cache: CookieCache::default(),
            management: true,
        }
    }
}

/// A copy of session and user in a cookie, so that most requests need no storage. Off until enabled.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct CookieCache {
    /// Whether the copy is made and believed.
    pub enabled: bool,
    /// Seconds that it is believed.
    pub max_age: u32,
    /// How it is protected. Unset: [`CacheStrategy::Compact`].
    pub strategy: Option<CacheStrategy>,
    /// A copy of another version is not believed. Unset: `1`, the same for everyone.
    pub version: Option<CacheVersion>,
}

impl Default for CookieCache {
    fn default() -> Self {
        Self { enabled: false, max_age: 300, strategy: None, version: None }
    }
}

/// How the copy in the cookie is protected.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum CacheStrategy {
    /// Signed JSON.
    #[default]
    Compact,
    /// A signed JWT.
    Jwt,
    /// Encrypted.
    Jwe,
}

/// The version that a copy must have.
#[derive(Clone, Debug)]
pub enum CacheVersion {
    /// The same for everyone.
    Text(String),
    /// Asked on every use. If it fails, the copy is not believed and none is made.
    Function(Callback<Arc<SignedIn>, String>),
}

impl Serialize for CacheVersion {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Text(text) => serializer.serialize_str(text),
            Self::Function(function) => function.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CacheVersion {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::Text)
    }
}

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::Shared;
use crate::Callback;
use crate::rate_limit::RateLimitStore;

/// How often one client may call.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct RateLimitOptions {
    /// Unset: on in production.
    pub enabled: Option<bool>,
    /// Seconds of a window.
    pub window: u32,
    /// Requests in a window.
    pub max: u32,
    /// Rules for single paths, or patterns with `*`. They win over every other rule.
    pub custom_rules: BTreeMap<String, CustomRule>,
    /// How often one account may be guessed at and written to, whoever asks and from wherever.
    pub per_account: AccountLimits,
    pub storage: RateLimitStorage,
    /// The name of the table, when they are in the database.
    pub model_name: Option<String>,
    /// A store of one's own. It wins over `storage`.
    pub custom_storage: Shared<dyn RateLimitStore>,
}

impl Default for RateLimitOptions {
    fn default() -> Self {
        Self {
            enabled: None,
            window: 10,
            max: 100,
            custom_rules: BTreeMap::new(),
            per_account: AccountLimits::default(),
            storage: RateLimitStorage::default(),
            model_name: None,
            custom_storage: Shared::unset(),
        }
    }
}

/// How often one account may be guessed at and written to, whoever asks and from wherever. In force where rate limits are.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountLimits {
    /// Passwords that may be tried. Each rule must hold, the shortest first, so that waits grow: ten in five minutes, thirty in
    /// an hour, a hundred in a day. None: they are not counted. Those who gave the right one before, those who are signed in,
    /// passkeys and reset links do not wait because of what others try.
    pub passwords: Vec<RateRule>,
    /// Codes that were mailed and may be tried, over all codes of an address. The same as for passwords.
    pub codes: Vec<RateRule>,
    /// Mails of one kind to one address. What is too much is not sent, and the answer does not tell. The window is at most as
    /// long as the link in the mail lives: whoever must wait for the next mail has a link that works.
    pub mails: RateRule,
    /// Mails to one address whose links and codes live for less than the window of `mails`, over all their kinds: by the rule of a
    /// kind alone a stranger could have thousands a day sent. Each rule must hold. Nothing of an hour or longer, such as a reset
    /// link, is counted here or held back by it.
    pub short_lived_mails: Vec<RateRule>,
}

impl Default for AccountLimits {
    fn default() -> Self {
        let guesses = [
            RateRule { window: 300, max: 10 },
            RateRule { window: 3_600, max: 30 },
            RateRule { window: 86_400, max: 100 },
        ];
        Self {
            passwords: guesses.into(),
            codes: guesses.into(),
            mails: RateRule { window: 3_600, max: 5 },
            short_lived_mails: vec![RateRule { window: 3_600, max: 20 }],
        }
    }
}

/// Where the counters are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RateLimitStorage {
    /// In this process.
    #[default]
    Memory,
    /// In the `rateLimit` table.
    Database,
}

/// So many requests in so many seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateRule {
    /// Seconds of a window.
    pub window: u32,
    /// Requests in a window.
    pub max: u32,
}

/// A rule for a path.
#[derive(Clone, Debug)]
pub enum CustomRule {
    /// No limit (`false`).
    Unlimited,
    /// The same limit for every request to the path.
    Fixed(RateRule),
    /// Decided per request; `None` is no limit.
    Function(Callback<RateLimitRequest, Option<RateRule>>),
}

/// What is known of a request when its limit is asked for.
#[derive(Clone, Debug)]
pub struct RateLimitRequest {
    /// The path, the base path left off.
    pub path: String,
    pub headers: http::HeaderMap,
    /// The rule that would hold.
    pub rule: RateRule,
}

impl Serialize for CustomRule {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Unlimited => serializer.serialize_bool(false),
            Self::Fixed(rule) => rule.serialize(serializer),
            Self::Function(function) => function.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for CustomRule {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Rule(RateRule),
            #[expect(dead_code, reason = "only `false` is meaningful, and it says all there is to say")]
            Off(bool),
        }
        Written::deserialize(deserializer).map(|written| match written {
            Written::Rule(rule) => Self::Fixed(rule),
            Written::Off(_) => Self::Unlimited,
        })
    }
}

use http::HeaderName;

use super::checksum;
use crate::access::Statements;
use crate::options::ModelNames;

/// The id of the configuration that is meant where none is named.
pub(super) const DEFAULT: &str = "default";
/// Fewer letters could be guessed one day.
const SHORTEST_KEY: usize = 32;

#[derive(Clone, Debug)]
pub struct ApiKeyOptions {
    /// The kinds of keys that there are. Requests name one by its `configId`, and mean the one called `default` when they name none.
    pub configurations: Vec<ApiKeyConfig>,
    /// The header that a key is sent in.
    pub header: HeaderName,
    /// Seconds for which the time of the last use is good enough where no use is counted. 0 writes it with every use.
    pub last_used_every: u32,
    /// Other names for the `apikey` table and its columns.
    pub schema: ModelNames,
}

impl Default for ApiKeyOptions {
    fn default() -> Self {
        Self {
            configurations: vec![ApiKeyConfig::default()],
            header: HeaderName::from_static("x-api-key"),
            last_used_every: 60,
            schema: ModelNames::new(),
        }
    }
}

/// A kind of key.
#[derive(Clone, Debug)]
pub struct ApiKeyConfig {
    /// What it is called, in requests and in the rows of its keys.
    pub config_id: String,
    /// Whose its keys are.
    pub references: OwnerKind,
    /// How a key begins, unless whoever makes it says otherwise. It tells people and scanners what they found: `shop_`.
    pub default_prefix: Option<String>,
    /// Letters of a key besides its prefix.
    pub default_key_length: usize,
    pub minimum_prefix_length: usize,
    pub maximum_prefix_length: usize,
    pub minimum_name_length: usize,
    pub maximum_name_length: usize,
    /// Whether a key must have a name.
    pub require_name: bool,
    /// How many of a key's first characters are kept to be shown. `None`: none are.
    pub starting_characters: Option<usize>,
    /// Whether whoever makes a key may keep an object with it.
    pub enable_metadata: bool,
    pub key_expiration: KeyExpiration,
    /// How often a key may be used, unless whoever makes it on the server says otherwise.
    pub rate_limit: KeyRateLimit,
    /// What a key allows, unless whoever makes it on the server says otherwise. Nothing when unset.
    pub default_permissions: Option<Statements>,
    /// Whether `requestCount` counts every use of a key, also where nothing is limited. Each use is then a write.
    pub count_every_use: bool,
}

impl Default for ApiKeyConfig {
    fn default() -> Self {
        Self {
            config_id: DEFAULT.into(),
            references: OwnerKind::User,
            default_prefix: None,
            default_key_length: 64,
            minimum_prefix_length: 1,
            maximum_prefix_length: 32,
            minimum_name_length: 1,
            maximum_name_length: 32,
            require_name: false,
            starting_characters: Some(6),
            enable_metadata: false,
            key_expiration: KeyExpiration::default(),
            rate_limit: KeyRateLimit::default(),
            default_permissions: None,
            count_every_use: false,
        }
    }
}

/// Whose keys are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OwnerKind {
    #[default]
    User,
    /// An organisation's. Members with the permission `apiKey` see to them, and those with the role of its creator.
    Organization,
}

/// How long keys live.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyExpiration {
    /// Seconds, where whoever makes a key does not say. For ever when unset.
    pub default_expires_in: Option<u32>,
    /// Whether nobody may say.
    pub disable_custom_expires_time: bool,
    /// The least that may be said, in days.
    pub min_expires_in: u32,
    /// The most that may be said, in days.
    pub max_expires_in: u32,
}

impl Default for KeyExpiration {
    fn default() -> Self {
        Self {
            default_expires_in: None,
            disable_custom_expires_time: false,
            min_expires_in: 1,
            max_expires_in: 365,
        }
    }
}

/// How often a key may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyRateLimit {
    /// Whether that is limited.
    pub enabled: bool,
    /// Milliseconds of a window.
    pub time_window: u32,
    /// Uses within a window.
    pub max_requests: u32,
}

impl Default for KeyRateLimit {
    fn default() -> Self {
        Self { enabled: false, time_window: 60_000, max_requests: 600 }
    }
}

impl ApiKeyOptions {
    /// A configuration by its id. What nobody is called is the default one, as in the reference.
    pub(super) fn named(&self, id: Option<&str>) -> Option<&ApiKeyConfig> {
        let by = |id: &str| self.configurations.iter().find(|config| config.config_id == id);
        id.and_then(by).or_else(|| by(DEFAULT))
    }

    /// The configurations whose keys belong to users, or those whose keys belong to organisations.
    pub(super) fn of_kind(&self, kind: OwnerKind) -> impl Iterator<Item = &ApiKeyConfig> {
        self.configurations.iter().filter(move |config| config.references == kind)
    }

    pub(super) fn problem(&self) -> Option<String> {
        let mut ids: Vec<_> = self.configurations.iter().map(|config| &config.config_id).collect();
        ids.sort_unstable();
        if let Some([id, _]) = ids.array_windows::<2>().find(|[one, other]| one == other) {
            return Some(format!("there are two configurations with the id `{id}`"));
        }
        self.configurations.iter().find_map(|config| {
            let problem = config.problem()?;
            Some(format!("configuration `{}`: {problem}", config.config_id))
        })
    }
}

impl ApiKeyConfig {
    fn problem(&self) -> Option<String> {
        if self.default_key_length < SHORTEST_KEY + checksum::LENGTH {
            return Some(format!("a key needs {} letters at least", SHORTEST_KEY + checksum::LENGTH));
        }
        let is_wrong = |prefix: &&String| !is_prefix(prefix);
        if let Some(prefix) = self.default_prefix.as_ref().filter(is_wrong) {
            return Some(format!("a prefix has letters, digits, `_` and `-`, other than `{prefix}`"));
        }
        if self.rate_limit.enabled && (self.rate_limit.time_window == 0 || self.rate_limit.max_requests == 0)
        {
            return Some("a rate limit needs a window and a number of requests".into());
        }
        None
    }
}

/// Whether a text can stand at the beginning of a key.
pub(super) fn is_prefix(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

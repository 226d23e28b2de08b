use housekey_base::SameSite;
use housekey_core::env::FromEnv;
use serde::{Deserialize, Serialize};

/// `config/session.rs`: how visitors are remembered between requests.
///
/// ```
/// use housekey_session::{SameSite, SessionConfig};
///
/// pub fn session() -> SessionConfig {
///     SessionConfig { lifetime: 60, same_site: SameSite::Strict, ..SessionConfig::default() }
/// }
/// # assert_eq!(session().driver, "file");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct SessionConfig {
    /// Where sessions are kept: `file`, `memory`, `database`, `redis` (the last two are cargo features), or a driver that
    /// a provider brought along.
    pub driver: String,
    /// The connection of the `database` or `redis` driver; the default one if not given.
    pub connection: Option<String>,
    /// Minutes without a visit after which a session is over.
    pub lifetime: u64,
    /// Whether the browser forgets the session when it is closed.
    pub expire_on_close: bool,
    /// The cookie's name; unset, it is made of the app's name (`my_app_session`), so that two apps on
    /// `localhost` do not overwrite each other's.
    pub cookie: Option<String>,
    /// The path below which the browser sends the cookie.
    pub path: String,
    /// The domain whose subdomains get the cookie too; unset, only the host itself.
    pub domain: Option<String>,
    /// Whether the cookie travels over https only.
    pub secure: SecureCookie,
    /// Whether scripts are kept from reading the cookie.
    pub http_only: bool,
    /// Which cross-site requests carry the cookie.
    pub same_site: SameSite,
    /// Whether an embedding site gets a cookie jar of its own (CHIPS); needs https.
    pub partitioned: bool,
    /// Whether what is stored is encrypted with `APP_KEY`.
    pub encrypt: bool,
    /// The folder of the `file` driver, below the app's root; unset, `storage/framework/sessions`.
    pub files: Option<String>,
    /// After how many saved sessions the expired ones are swept away in the background; 0 leaves it to
    /// `session:gc`.
    pub sweep_every: u64,
}

impl Default for SessionConfig {
    fn default() -> Self {
        Self {
            driver: "file".into(),
            connection: None,
            lifetime: 120,
            expire_on_close: false,
            cookie: None,
            path: "/".into(),
            domain: None,
            secure: SecureCookie::Auto,
            http_only: true,
            same_site: SameSite::Lax,
            partitioned: false,
            encrypt: true,
            files: None,
            sweep_every: 1000,
        }
    }
}

/// Whether a cookie travels over https only. Written as `"auto"`, `true` or `false`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SecureCookie {
    /// Over https only when the app's own address (`APP_URL`) is https.
    #[default]
    Auto,
    /// Over https only.
    Always,
    /// Over plain http too.
    Never,
}

impl Serialize for SecureCookie {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::Always => serializer.serialize_bool(true),
            Self::Never => serializer.serialize_bool(false),
        }
    }
}

impl<'de> Deserialize<'de> for SecureCookie {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Flag(bool),
            Word(String),
        }
        match Written::deserialize(deserializer)? {
            Written::Flag(true) => Ok(Self::Always),
            Written::Flag(false) => Ok(Self::Never),
            Written::Word(word) => word.parse().map_err(serde::de::Error::custom),
        }
    }
}

impl std::str::FromStr for SecureCookie {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        match word.trim().to_ascii_lowercase().as_str() {
            "auto" => Ok(Self::Auto),
            "true" | "always" | "1" => Ok(Self::Always),
            "false" | "never" | "0" => Ok(Self::Never),
            _ => Err(format!("`{word}` is not one of auto, true, false")),
        }
    }
}

impl FromEnv for SecureCookie {
    const EXPECTED: &'static str = "auto, true or false";

    fn from_env(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cached_json_form_reads_back_as_it_was() {
        for secure in [SecureCookie::Auto, SecureCookie::Always, SecureCookie::Never] {
            let config = SessionConfig { secure, same_site: SameSite::Strict, ..SessionConfig::default() };
            let json = serde_json::to_value(&config).unwrap();
            assert_eq!(serde_json::from_value::<SessionConfig>(json).unwrap(), config);
        }
        assert_eq!(serde_json::to_value(SecureCookie::Auto).unwrap(), "auto");
        assert!(serde_json::from_value::<SecureCookie>("sometimes".into()).is_err());
    }
}

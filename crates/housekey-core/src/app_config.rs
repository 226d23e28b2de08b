use std::fmt;
use std::net::IpAddr;

use serde::{Deserialize, Serialize};

use crate::env::FromEnv;

/// `config/app.rs`: what the app is called and where it runs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AppConfig {
    /// The name people see, in titles and mails.
    pub name: String,
    /// `APP_ENV`.
    pub env: Environment,
    /// Whether errors show their inside. Never on in production: boot refuses it.
    pub debug: bool,
    /// The public address, without a slash at the end.
    pub url: String,
    /// The language spoken when nobody asks for another.
    pub locale: String,
    /// The language of a sentence that has no translation.
    pub fallback_locale: String,
}

impl Default for AppConfig {
    fn default() -> Self {
        Self {
            name: "Housekey".into(),
            env: Environment::Production,
            debug: false,
            url: "http://localhost:3000".into(),
            locale: "en".into(),
            fallback_locale: "en".into(),
        }
    }
}

impl AppConfig {
    /// Whether people reach the app over https.
    pub fn is_secure(&self) -> bool {
        self.url.starts_with("https://")
    }

    /// Whether its public address is one of this machine: `localhost`, a name below it, or a loopback address.
    ///
    /// ```
    /// use housekey_core::AppConfig;
    ///
    /// assert!(AppConfig { url: "http://localhost:3000".into(), ..Default::default() }.is_local());
    /// assert!(!AppConfig { url: "https://shop.example".into(), ..Default::default() }.is_local());
    /// ```
    pub fn is_local(&self) -> bool {
        let rest = self.url.strip_prefix("http://").or_else(|| self.url.strip_prefix("https://"));
        rest.is_some_and(|rest| is_local_host(rest.split(['/', '?', '#']).next().unwrap_or_default()))
    }
}

/// Whether a host, as it stands in an address or in the header `Host`, names this machine: `localhost:3000`, `[::1]`.
///
/// ```
/// use housekey_core::is_local_host;
///
/// assert!(is_local_host("shop.localhost:3000"));
/// assert!(!is_local_host("shop.example"));
/// ```
pub fn is_local_host(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    match name.parse::<IpAddr>() {
        Ok(address) => address.to_canonical().is_loopback(),
        Err(_) => {
            let name = name.to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

/// The kind of place the app runs in. A place without a name, or with a name that nobody knows, is treated as production:
/// only `development`, `dev`, `local`, `testing` and `test`, written exactly so, are let off anything.
///
/// ```
/// use housekey_core::Environment;
///
/// assert!(Environment::from("Production").is_production());
/// assert_eq!(Environment::from("local"), Environment::Development);
///
/// let staging = Environment::from("staging");
/// assert_eq!(staging.to_string(), "staging");
/// assert!(staging.is_production());
/// ```
// spec: SEC-6
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Environment {
    /// In front of customers.
    #[default]
    Production,
    /// On a developer's machine.
    Development,
    /// Under a test runner.
    Testing,
    /// Any other name, such as `staging`. The rules of production hold there.
    Other(String),
}

impl Environment {
    /// Whether the rules of production hold: everywhere but on a developer's machine and under a test runner.
    pub fn is_production(&self) -> bool {
        !self.is_development() && !self.is_testing()
    }

    pub fn is_development(&self) -> bool {
        *self == Self::Development
    }

    pub fn is_testing(&self) -> bool {
        *self == Self::Testing
    }
}

impl From<&str> for Environment {
    fn from(name: &str) -> Self {
        match name.trim() {
            "development" | "dev" | "local" => Self::Development,
            "testing" | "test" => Self::Testing,
            "" => Self::Production,
            name if name.eq_ignore_ascii_case("production") || name.eq_ignore_ascii_case("prod") => {
                Self::Production
            }
            other => Self::Other(other.to_owned()),
        }
    }
}

impl From<String> for Environment {
    fn from(name: String) -> Self {
        name.as_str().into()
    }
}

impl From<Environment> for String {
    fn from(environment: Environment) -> Self {
        environment.to_string()
    }
}

impl fmt::Display for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Production => "production",
            Self::Development => "development",
            Self::Testing => "testing",
            Self::Other(name) => name,
        })
    }
}

impl FromEnv for Environment {
    const EXPECTED: &'static str = "the name of an environment";

    fn from_env(text: &str) -> Option<Self> {
        Some(text.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    // spec: SEC-6
    #[test]
    fn a_name_that_nobody_knows_is_treated_as_production() {
        for name in
            ["", "production", "Production", " PRODUCTION ", "prod", "live", "staging", "Development", "TEST"]
        {
            assert!(Environment::from(name).is_production(), "{name:?}");
        }
        for name in ["development", " dev ", "local", "testing", "test"] {
            assert!(!Environment::from(name).is_production(), "{name:?}");
        }
    }

    #[test]
    fn an_address_of_this_machine_is_local_and_no_other_is() {
        let is_local = |url: &str| AppConfig { url: url.into(), ..AppConfig::default() }.is_local();
        for url in [
            "http://localhost",
            "http://localhost:3000",
            "https://shop.localhost/path",
            "http://127.0.0.1:3000",
            "http://127.8.8.8",
            "http://[::1]:3000/",
        ] {
            assert!(is_local(url), "{url}");
        }
        for url in [
            "",
            "https://shop.example",
            "http://localhost.example",
            "http://localhost@evil.example",
            "http://192.168.0.7:3000",
            "http://0.0.0.0:3000",
            "http://127.0.0.1.evil.example",
            "localhost",
        ] {
            assert!(!is_local(url), "{url}");
        }
    }
}

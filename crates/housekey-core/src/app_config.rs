use std::fmt;

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
}

/// The kind of place the app runs in. An unnamed place is production: the safe guess.
///
/// ```
/// use housekey_core::Environment;
///
/// assert!(Environment::from("production").is_production());
/// assert_eq!(Environment::from("local"), Environment::Development);
/// assert_eq!(Environment::from("staging").to_string(), "staging");
/// ```
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
    /// Any other name, such as `staging`.
    Other(String),
}

impl Environment {
    /// In front of customers?
    pub fn is_production(&self) -> bool {
        *self == Self::Production
    }

    /// On a developer's machine?
    pub fn is_development(&self) -> bool {
        *self == Self::Development
    }

    /// Under a test runner?
    pub fn is_testing(&self) -> bool {
        *self == Self::Testing
    }
}

impl From<&str> for Environment {
    fn from(name: &str) -> Self {
        match name.trim() {
            "" | "production" | "prod" => Self::Production,
            "development" | "dev" | "local" => Self::Development,
            "testing" | "test" => Self::Testing,
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

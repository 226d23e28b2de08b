use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Somebody who can be told something: a user, a team, or an address on its own ([`route`]).
///
/// ```
/// use housekey_notifications::{Notifiable, NotifiableKey};
///
/// struct User { id: String, email: String, language: Option<String> }
///
/// impl Notifiable for User {
///     fn notifiable_key(&self) -> Option<NotifiableKey> {
///         Some(NotifiableKey::new("user", &self.id))
///     }
///
///     fn route_for(&self, channel: &str) -> Option<String> {
///         (channel == "mail").then(|| self.email.clone())
///     }
///
///     fn preferred_locale(&self) -> Option<String> {
///         self.language.clone()
///     }
/// }
/// ```
pub trait Notifiable: Send + Sync {
    /// Who it is in the database. `None`: nobody there, so nothing can be stored for them.
    fn notifiable_key(&self) -> Option<NotifiableKey>;

    /// Where a channel reaches them: the mail address for `mail`, a number for an `sms` channel of one's own.
    fn route_for(&self, channel: &str) -> Option<String>;

    fn preferred_locale(&self) -> Option<String> {
        None
    }
}

/// Who somebody is in the database.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct NotifiableKey {
    /// What they are: `user`.
    pub kind: String,
    pub id: String,
}

impl NotifiableKey {
    /// `NotifiableKey::new("user", id)`
    pub fn new(kind: impl Into<String>, id: impl Into<String>) -> Self {
        Self { kind: kind.into(), id: id.into() }
    }
}

/// Somebody who is nobody in the database: an address, on one channel or several.
///
/// ```
/// use housekey_notifications::{Notifiable, route};
///
/// let visitor = route("mail", "Ada <ada@example.com>").locale("de");
/// assert_eq!(visitor.route_for("mail").as_deref(), Some("Ada <ada@example.com>"));
/// assert_eq!(visitor.route_for("database"), None);
/// ```
#[derive(Clone, Debug, Default)]
pub struct OnDemand {
    routes: BTreeMap<String, String>,
    locale: Option<String>,
}

/// Starts a recipient from an address on a channel.
pub fn route(channel: impl Into<String>, address: impl Into<String>) -> OnDemand {
    OnDemand::default().route(channel, address)
}

impl OnDemand {
    /// Adds an address on another channel.
    pub fn route(mut self, channel: impl Into<String>, address: impl Into<String>) -> Self {
        self.routes.insert(channel.into(), address.into());
        self
    }

    pub fn locale(mut self, language: impl Into<String>) -> Self {
        self.locale = Some(language.into());
        self
    }
}

impl Notifiable for OnDemand {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        None
    }

    fn route_for(&self, channel: &str) -> Option<String> {
        self.routes.get(channel).cloned()
    }

    fn preferred_locale(&self) -> Option<String> {
        self.locale.clone()
    }
}

use serde::{Deserialize, Serialize};

/// What becomes of events about accounts. They are logged in any case.
///
/// ```
/// use housekey_auth::AuthConfig;
/// use housekey_auth::events::Events;
///
/// let config = AuthConfig { events: Events::kept(90), ..Default::default() };
/// assert_eq!(config.events.days(), Some(90));
/// assert_eq!(AuthConfig::default().events.days(), None);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Events {
    days: Option<u32>,
}

impl Events {
    /// They are logged and not kept.
    pub const fn logged() -> Self {
        Self { days: None }
    }

    /// They are kept in the table `securityEvent` too, until `auth:prune` finds them older than so many days.
    pub const fn kept(days: u32) -> Self {
        Self { days: Some(days) }
    }

    /// For how many days they are kept, if they are.
    pub const fn days(self) -> Option<u32> {
        self.days
    }
}

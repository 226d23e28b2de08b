use housekey_engine::User;
use housekey_notifications::{Notifiable, NotifiableKey};

/// A user as somebody who can be told something, at one address.
#[derive(Clone, Debug)]
pub(super) struct Recipient {
    id: String,
    email: String,
}

impl Recipient {
    pub(super) fn of(user: &User) -> Self {
        Self { id: user.id.clone(), email: user.email.clone() }
    }
}

impl Notifiable for Recipient {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        Some(NotifiableKey::new("user", &self.id))
    }

    fn route_for(&self, channel: &str) -> Option<String> {
        (channel == "mail").then(|| self.email.clone())
    }
}

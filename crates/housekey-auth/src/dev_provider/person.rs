use serde_json::{Map, Value};

/// Who somebody chose to be.
#[derive(Clone, Debug)]
pub(super) struct Person {
    pub(super) name: String,
    pub(super) email: String,
    pub(super) email_verified: bool,
}

impl Person {
    /// The same address is the same account, also after the app was started anew.
    pub(super) fn subject(&self) -> String {
        self.email.to_lowercase()
    }

    /// What the id token and the profile say of them.
    pub(super) fn claims(&self) -> Map<String, Value> {
        let text = |value: &str| Value::String(value.to_owned());
        Map::from_iter([
            ("sub".into(), text(&self.subject())),
            ("name".into(), text(&self.name)),
            ("email".into(), text(&self.email)),
            ("email_verified".into(), Value::Bool(self.email_verified)),
        ])
    }
}

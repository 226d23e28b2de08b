use serde_json::{Value, json};

/// Who agrees at the provider, as the provider knows them.
#[derive(Clone, Debug)]
pub(crate) struct Person {
    pub(crate) subject: String,
    pub(crate) name: String,
    pub(crate) email: Option<String>,
    pub(crate) verified: bool,
    /// What else the provider says about them; what is null it does not say.
    pub(crate) more: Value,
}

impl Person {
    pub(crate) fn new(name: &str, email: &str) -> Self {
        Self {
            subject: format!("subject-of-{}", name.to_lowercase()),
            name: name.into(),
            email: Some(email.into()),
            verified: true,
            more: json!({}),
        }
    }

    /// Ada, who proved her address to the provider.
    pub(crate) fn ada() -> Self {
        Self::new("Ada", "ada@example.com")
    }

    /// Somebody who wrote this address into a form of the provider and proved nothing.
    pub(crate) fn claiming(name: &str, email: &str) -> Self {
        Self { verified: false, ..Self::new(name, email) }
    }

    pub(crate) fn without_email(self) -> Self {
        Self { email: None, ..self }
    }

    pub(crate) fn saying(self, more: Value) -> Self {
        Self { more, ..self }
    }

    /// What an id token or a user-info endpoint says of them.
    pub(crate) fn claims(&self) -> Value {
        let mut claims = json!({
            "sub": self.subject,
            "id": self.subject,
            "name": self.name,
            "email_verified": self.verified,
            "picture": format!("https://pictures.test/{}.png", self.subject),
        });
        if let Some(email) = &self.email {
            claims["email"] = json!(email);
        }
        for (name, value) in self.more.as_object().unwrap() {
            match value {
                Value::Null => drop(claims.as_object_mut().unwrap().remove(name)),
                value => claims[name] = value.clone(),
            }
        }
        claims
    }
}

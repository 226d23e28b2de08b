use housekey::prelude::*;
use housekey::serde_json::{Value, json};

/// `notify(&user, InvoicePaid { url }).await?`
#[derive(Clone, Debug)]
pub struct InvoicePaid {
    pub url: String,
}

impl Notification for InvoicePaid {
    /// Add "database" for the inbox people have in the app: `housekey make:notifications-table`.
    fn channels(&self, _to: &dyn Notifiable) -> Vec<String> {
        channels(["mail"])
    }

    fn to_mail(&self, _to: &dyn Notifiable) -> Result<Message> {
        Ok(Message::new()
            .subject(t("Invoice paid"))
            .line(t("There is something new for you."))
            .action(t("Have a look"), &self.url))
    }

    /// What is stored for the inbox. It stays, and others may read it: no token, no code.
    fn to_array(&self, _to: &dyn Notifiable) -> Value {
        json!({ "title": "Invoice paid" })
    }
}

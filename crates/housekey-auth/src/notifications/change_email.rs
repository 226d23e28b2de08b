use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The question to the old address whether the account may move to a new one.
// spec: NTF-1
#[derive(Clone, Debug)]
pub struct ChangeEmailNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for ChangeEmailNotification {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        self.settings.names()
    }

    fn locale(&self) -> Option<String> {
        self.settings.language()
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        let data = &self.data;
        Ok(self.settings.mail(data, || {
            let new_email = data.new_email.as_deref().unwrap_or_default();
            Message::new()
                .subject(t("Confirm your new e-mail address"))
                .greeting(data.greeting())
                .line(t!(
                    "Your account is to move to the address :email. Confirm it here.",
                    email = new_email
                ))
                .action(t("Confirm the change"), data.url())
                .line(t("If you did not ask for this, do not confirm it and change your password."))
        }))
    }

    /// Without the link.
    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email, "newEmail": self.data.new_email })
    }
}

use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The warning that a password was reset.
// spec: NTF-1
#[derive(Clone, Debug)]
pub struct PasswordChangedNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for PasswordChangedNotification {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        self.settings.names()
    }

    fn locale(&self) -> Option<String> {
        self.settings.language()
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        let data = &self.data;
        Ok(self.settings.mail(data, || {
            Message::new()
                .subject(t("Your password was changed"))
                .greeting(data.greeting())
                .line(t("The password of your account was just changed, and you were signed out everywhere."))
                .line(t("If it was not you, reset your password at once and tell us."))
                .error()
        }))
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email })
    }
}

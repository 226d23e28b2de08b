use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The link with which somebody who forgot their password chooses a new one.
// spec: NTF-1
#[derive(Clone, Debug)]
pub struct ResetPasswordNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for ResetPasswordNotification {
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
                .subject(t("Reset your password"))
                .greeting(data.greeting())
                .line(t("Somebody asked to reset the password of your account. If it was you, choose a new one here."))
                .action(t("Choose a new password"), data.url())
                .line(t("The link works once and for an hour. If it was not you, there is nothing to do."))
        }))
    }

    /// Without the link: whoever could read it later could take the account.
    // spec: NTF-4, NTF-8
    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email })
    }
}

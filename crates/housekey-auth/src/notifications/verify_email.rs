use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The link that proves that an address is somebody's own.
// spec: NTF-1
#[derive(Clone, Debug)]
pub struct VerifyEmailNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for VerifyEmailNotification {
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
                .subject(t("Confirm your e-mail address"))
                .greeting(data.greeting())
                .line(t("Please confirm that this address is yours."))
                .action(t("Confirm the address"), data.url())
                .line(t("If you do not know what this is about, you can ignore this mail."))
        }))
    }

    /// Without the link.
    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email })
    }
}

use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The word to the owner of an account that somebody signed in to from a device that was not seen before.
// spec: SEC-12
#[derive(Clone, Debug)]
pub struct NewDeviceNotification {
    /// What it is written from. The link leads to where a new password is asked for, if the app has such a page.
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for NewDeviceNotification {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        self.settings.names()
    }

    fn locale(&self) -> Option<String> {
        self.settings.language()
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        let data = &self.data;
        Ok(self.settings.mail(data, || {
            let message = Message::new()
                .subject(t("A sign-in from a new device"))
                .greeting(data.greeting())
                .line(t(
                    "Somebody just signed in to your account from a device that we have not seen before.",
                ))
                .line(data.circumstances())
                .line(t("If it was you, there is nothing to do."));
            data.with_reset(message)
                .line(t("If it was not you, reset your password at once: that signs everybody out."))
                .error()
        }))
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        let AccountMailData { email, at, address, .. } = &self.data;
        json!({ "email": email, "at": at, "address": address })
    }
}

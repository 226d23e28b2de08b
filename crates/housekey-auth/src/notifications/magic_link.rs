use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The link with which somebody signs in without a password. The address may have no account yet.
// spec: KEY-3
#[derive(Clone, Debug)]
pub struct MagicLinkNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for MagicLinkNotification {
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
                .subject(t("Your link to sign in"))
                .greeting(data.greeting())
                .line(t!(
                    "Somebody asked for a link to sign in as :email. If it was you, go on here.",
                    email = &data.email
                ))
                .action(t("Sign in"), data.url())
                .line(t!("The link works once and for :minutes min. Whoever has it can sign in as you, so pass it on to nobody.", minutes = data.minutes()))
                .line(t("If it was not you, there is nothing to do."))
        }))
    }

    /// Without the link: whoever could read it later could sign in.
    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email })
    }
}

use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The word to somebody who is invited to an organisation, with an account or without.
// spec: ORG-5
#[derive(Clone, Debug)]
pub struct InvitationNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for InvitationNotification {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        self.settings.names()
    }

    fn locale(&self) -> Option<String> {
        self.settings.language()
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        let data = &self.data;
        Ok(self.settings.mail(data, || {
            let organization = data.organization();
            let (name, address) = data.invited_by.clone().unwrap_or_default();
            Message::new()
                .subject(t!("You are invited to :organization", organization))
                .greeting(data.greeting())
                .line(t!(":name (:address) invites you to join :organization.", name, address, organization))
                .action(t("See the invitation"), data.url())
                .line(t!("The invitation is for :email and works once.", email = &data.email))
                .line(t("If you do not know what this is about, you can ignore this mail."))
        }))
    }

    /// Without the link: whoever could read it later could take the place.
    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email, "organization": self.data.organization })
    }
}

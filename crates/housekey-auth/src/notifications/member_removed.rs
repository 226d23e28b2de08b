use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The word to somebody who is no longer a member of an organisation.
// spec: ORG-3
#[derive(Clone, Debug)]
pub struct MemberRemovedNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for MemberRemovedNotification {
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
            Message::new()
                .subject(t!("You are no longer a member of :organization", organization))
                .greeting(data.greeting())
                .line(t!(
                    "You are no longer a member of :organization, and see nothing of it any more.",
                    organization
                ))
                .line(t("If you think that this is a mistake, ask an owner of the organization."))
        }))
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email, "organization": self.data.organization })
    }
}

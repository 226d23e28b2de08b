use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The word to somebody who has another role in an organisation from now on.
// spec: ORG-3
#[derive(Clone, Debug)]
pub struct MemberRoleChangedNotification {
    pub data: AccountMailData,
    pub(super) settings: MailSettings,
}

impl Notification for MemberRoleChangedNotification {
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
                .subject(t!("Your role in :organization has changed", organization))
                .greeting(data.greeting())
                .line(t!("Your role in :organization is now: :role.", organization, role = data.roles()))
                .line(t("If you think that this is a mistake, ask an owner of the organization."))
        }))
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email, "organization": self.data.organization, "roles": self.data.roles })
    }
}

use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The word to somebody who signs up with an address that has an account: the page must not say it.
// spec: SEC-5
#[derive(Clone, Debug)]
pub struct ExistingAccountNotification {
    /// What it is written from. The link leads to the sign-in.
    pub data: AccountMailData,
    /// Where a new password is asked for.
    pub(super) forgot_password: Option<String>,
    pub(super) settings: MailSettings,
}

impl Notification for ExistingAccountNotification {
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
                .subject(t("You have an account already"))
                .greeting(data.greeting())
                .line(t("Somebody wanted to sign up with your address, and it has an account already. If it was you, sign in."))
                .action(t("Sign in"), data.url());
            let message = match &self.forgot_password {
                Some(page) => message.line(t!("If you forgot your password, choose a new one: :url", url = page)),
                None => message,
            };
            message.line(t("If it was not you, there is nothing to do."))
        }))
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email })
    }
}

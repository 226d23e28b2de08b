use housekey_core::translation::t;
use housekey_core::{AppConfig, Result, service};
use housekey_engine::options::Guessed;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// The word to the owner of an account that so many wrong passwords or codes were given for that no more are looked at for a
/// while.
// spec: SEC-12
#[derive(Clone, Debug)]
pub struct LockoutNotification {
    /// What it is written from. The link leads to where a new password is asked for, if the app has such a page.
    pub data: AccountMailData,
    pub(super) guessed: Guessed,
    pub(super) settings: MailSettings,
}

impl Notification for LockoutNotification {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        self.settings.names()
    }

    /// The app's own: whoever guesses has no say in what the owner reads.
    fn locale(&self) -> Option<String> {
        service::<AppConfig>().map(|app| app.locale.clone())
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        let data = &self.data;
        Ok(self.settings.mail(data, || {
            let (happened, advice) = match self.guessed {
                Guessed::Password => (
                    t("Somebody gave a wrong password for your account so often that we look at no more of them for a while."),
                    t("If it was not you, there is nothing to do: your password was not found. If it was you, use a device that you signed in with before, a passkey, or a new password."),
                ),
                Guessed::Code => (
                    t("Somebody who knows your password gave so many wrong codes that we look at no more of them for a while."),
                    t("If it was not you, reset your password at once: that signs everybody out."),
                ),
            };
            let message = Message::new()
                .subject(t("Many wrong attempts to sign in"))
                .greeting(data.greeting())
                .line(happened)
                .line(data.circumstances());
            data.with_reset(message).line(advice).error()
        }))
    }

    fn to_array(&self, _: &dyn Notifiable) -> Value {
        let AccountMailData { email, at, address, .. } = &self.data;
        json!({ "email": email, "at": at, "address": address })
    }
}

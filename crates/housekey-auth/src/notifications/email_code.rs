use housekey_core::Result;
use housekey_core::translation::t;
use housekey_mail::Message;
use housekey_notifications::{Notifiable, Notification};
use serde_json::{Value, json};

use super::{AccountMailData, MailSettings};

/// A code to type on the page where it was asked for.
// spec: KEY-1
#[derive(Clone, Debug)]
pub struct EmailCodeNotification {
    pub data: AccountMailData,
    pub purpose: CodePurpose,
    pub(super) settings: MailSettings,
}

/// What a code in a mail is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePurpose {
    SignIn,
    /// Proving that an address is somebody's own.
    VerifyEmail,
    /// Choosing a new password.
    ResetPassword,
    /// Moving the account to another address.
    ChangeEmail,
}

impl CodePurpose {
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::SignIn => (
                "Your code to sign in",
                "Somebody asked for a code to sign in with this address. If it was you, type it on the page where you asked for it.",
            ),
            Self::VerifyEmail => (
                "Your code to confirm your address",
                "Type this code on the page that asks for it, and we know that this address is yours.",
            ),
            Self::ResetPassword => (
                "Your code for a new password",
                "Somebody asked to reset the password of your account. If it was you, type this code on the page where you asked for it.",
            ),
            Self::ChangeEmail => (
                "Your code to change your address",
                "Somebody who is signed in asked to change the address of their account. If it was you, type this code on the page where you asked for it.",
            ),
        }
    }
}

impl Notification for EmailCodeNotification {
    fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
        self.settings.names()
    }

    fn locale(&self) -> Option<String> {
        self.settings.language()
    }

    fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
        let data = &self.data;
        let (subject, reason) = self.purpose.words();
        Ok(self.settings.mail(data, || {
            // Not in the subject: that is shown on locked screens, and written to logs of mail servers.
            Message::new()
                .subject(t(subject))
                .greeting(data.greeting())
                .line(t(reason))
                .code(data.code.clone().unwrap_or_default())
                .line(t!("The code works once and for :minutes min. We never ask for it by phone or in a chat, so tell it to nobody.", minutes = data.minutes()))
                .line(t("If it was not you, there is nothing to do."))
        }))
    }

    /// Without the code.
    fn to_array(&self, _: &dyn Notifiable) -> Value {
        json!({ "email": self.data.email })
    }
}

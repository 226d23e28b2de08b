use std::any::type_name;
use std::time::Duration;

use housekey_core::{Error, Result};
use housekey_mail::Message;
use serde_json::{Value, json};

use crate::Notifiable;

/// Something to tell somebody, over one channel or several.
///
/// ```
/// use housekey_core::Result;
/// use housekey_core::translation::t;
/// use housekey_mail::Message;
/// use housekey_notifications::{Notifiable, Notification, channels};
/// use serde_json::{Value, json};
///
/// struct InvoicePaid { number: u32, url: String }
///
/// impl Notification for InvoicePaid {
///     fn channels(&self, _: &dyn Notifiable) -> Vec<String> {
///         channels(["mail", "database"])
///     }
///
///     fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
///         Ok(Message::new()
///             .subject(t!("Invoice :number is paid", number = self.number))
///             .line(t("Thank you. It is all settled."))
///             .action(t("See the invoice"), &self.url))
///     }
///
///     fn to_array(&self, _: &dyn Notifiable) -> Value {
///         json!({ "number": self.number })
///     }
/// }
/// ```
// spec: NTF-2
pub trait Notification: Send + Sync + 'static {
    /// Its name in the database and in logs; the name of the type unless said otherwise. Say otherwise before renaming
    /// the type: what is stored keeps the old name.
    fn kind(&self) -> String {
        let name = type_name::<Self>();
        let plain = name.split('<').next().unwrap_or(name);
        plain.rsplit("::").next().unwrap_or(plain).to_owned()
    }

    /// The channels it goes over.
    // spec: NTF-3
    fn channels(&self, _to: &dyn Notifiable) -> Vec<String> {
        channels(["mail"])
    }

    /// The mail. The recipient's address is filled in if the message has none. Runs in the recipient's language.
    fn to_mail(&self, _to: &dyn Notifiable) -> Result<Message> {
        Err(Error::internal(format!(
            "{} goes over the channel `mail` but has no to_mail(); write one, or leave `mail` out of its channels()",
            self.kind()
        )))
    }

    /// What the database channel stores and other channels get. It stays for a long time and many can read it: leave
    /// every token and code out.
    // spec: NTF-4
    fn to_array(&self, _to: &dyn Notifiable) -> Value {
        json!({})
    }

    /// What a channel of one's own gets; the same as [`to_array`](Notification::to_array) unless said otherwise.
    fn to_channel(&self, _channel: &str, to: &dyn Notifiable) -> Result<Value> {
        Ok(self.to_array(to))
    }

    /// The last word on whether it goes to somebody over a channel.
    fn should_send(&self, _to: &dyn Notifiable, _channel: &str) -> bool {
        true
    }

    /// The language it is written in, whatever the recipient prefers.
    fn locale(&self) -> Option<String> {
        None
    }

    /// Whether it goes through the application's queue. Each channel is a job of its own, with the finished mail or
    /// data as its payload, sealed with `APP_KEY`: a retry repeats only what failed, and a newer build can still run it.
    fn should_queue(&self) -> bool {
        false
    }

    /// The queue it goes through, if not the default one.
    fn queue(&self) -> Option<String> {
        None
    }

    /// How long it waits in the queue first.
    fn delay(&self) -> Option<Duration> {
        None
    }
}

/// A list of channels from plain text: `channels(["mail", "database"])`.
pub fn channels<const N: usize>(names: [&str; N]) -> Vec<String> {
    names.map(str::to_owned).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::route;

    struct Plain;

    impl Notification for Plain {}

    // spec: NTF-3
    #[test]
    fn a_plain_notification_goes_by_mail_and_is_named_after_its_type() {
        let ada = route("mail", "ada@example.com");
        assert_eq!(Plain.channels(&ada), ["mail"]);
        assert_eq!(Plain.kind(), "Plain");
        let error = Plain.to_mail(&ada).unwrap_err().to_string();
        assert!(error.contains("Plain") && error.contains("to_mail()"), "{error}");
    }
}

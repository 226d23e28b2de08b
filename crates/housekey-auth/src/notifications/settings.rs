use std::fmt;
use std::sync::Arc;

use housekey_core::Result;
use housekey_http::{App, Provider, Registrar};
use housekey_mail::Message;
use housekey_notifications::channels;

use super::AccountMailData;
use super::language::language;

/// What an app can say about the mails of accounts, once, while it boots.
#[derive(Clone, Debug, Default)]
pub struct AccountMail {
    /// The link to a new password.
    pub reset_password: MailSettings,
    /// The link that proves an address.
    pub verify_email: MailSettings,
    /// The warning that a password was reset.
    pub password_changed: MailSettings,
    /// The question to the old address.
    pub change_email: MailSettings,
    /// The word to somebody who signs up and has an account already.
    pub existing_account: MailSettings,
    /// The word about a sign-in from a new device.
    pub new_device: MailSettings,
    /// The word about many wrong passwords or codes.
    pub lockout: MailSettings,
    /// The link to sign in.
    pub magic_link: MailSettings,
    /// The code to sign in, to prove an address, to choose a new password or to move to another address.
    pub email_code: MailSettings,
    /// The word to somebody who is invited to an organisation.
    pub invitation: MailSettings,
    /// The word about another role in an organisation.
    pub member_role_changed: MailSettings,
    /// The word to somebody who is no longer a member.
    pub member_removed: MailSettings,
}

/// What can be said about one of them.
#[derive(Clone)]
pub struct MailSettings {
    channels: Vec<String>,
    words: Option<Arc<Words>>,
}

type Words = dyn Fn(&AccountMailData) -> Message + Send + Sync;

impl MailSettings {
    /// Goes over these channels instead of `mail` alone: `["mail", "database"]`.
    // spec: NTF-3
    pub fn channels<const N: usize>(&mut self, names: [&str; N]) -> &mut Self {
        self.channels = channels(names);
        self
    }

    /// Writes the mail in other words. `data.url` is signed already and `data.name` may be absent.
    // spec: NTF-5
    pub fn to_mail_using(
        &mut self,
        words: impl Fn(&AccountMailData) -> Message + Send + Sync + 'static,
    ) -> &mut Self {
        self.words = Some(Arc::new(words));
        self
    }

    pub(super) fn names(&self) -> Vec<String> {
        self.channels.clone()
    }

    /// The language to write it in: the app's own words are in the languages of the app.
    pub(super) fn language(&self) -> Option<String> {
        if self.words.is_some() { None } else { language() }
    }

    /// The mail in the app's words, or else in ours.
    pub(super) fn mail(&self, data: &AccountMailData, ours: impl FnOnce() -> Message) -> Message {
        match &self.words {
            Some(words) => words(data),
            None => ours(),
        }
    }
}

impl Default for MailSettings {
    fn default() -> Self {
        Self { channels: channels(["mail"]), words: None }
    }
}

impl fmt::Debug for MailSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MailSettings").field("channels", &self.channels).finish_non_exhaustive()
    }
}

/// Lets an app change the mails of accounts.
///
/// ```
/// use housekey_auth::AuthProvider;
/// use housekey_auth::notifications::AppAccountMail;
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_mail::Message;
///
/// let app = App::new(ConfigFiles::new())
///     .account_mail(|mail| {
///         mail.password_changed.channels(["mail", "database"]);
///         mail.reset_password.to_mail_using(|data| {
///             Message::new()
///                 .subject("Your new key")
///                 .greeting(data.greeting())
///                 .action("Choose a password", data.url.as_deref().unwrap_or_default())
///         });
///     })
///     .provider(AuthProvider);
/// # drop(app);
/// ```
pub trait AppAccountMail {
    /// Changes them. Several calls add up.
    #[must_use]
    fn account_mail(self, change: impl Fn(&mut AccountMail) + Send + Sync + 'static) -> Self;
}

impl AppAccountMail for App {
    fn account_mail(self, change: impl Fn(&mut AccountMail) + Send + Sync + 'static) -> Self {
        self.provider(Change(Box::new(change)))
    }
}

struct Change(Box<dyn Fn(&mut AccountMail) + Send + Sync>);

impl Provider for Change {
    fn name(&self) -> &'static str {
        "the mails of accounts"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        app.contribute(|mail: &mut AccountMail| (self.0)(mail));
        Ok(())
    }
}

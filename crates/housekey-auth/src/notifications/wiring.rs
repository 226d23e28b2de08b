use std::sync::Arc;

use housekey_core::{Error, service};
use housekey_engine::options::{ChangeEmailMail, EngineOptions, LinkMail};
use housekey_engine::{Callback, User};
use housekey_mail::discreet;
use housekey_notifications::{Notification, notify};

use super::recipient::Recipient;
use super::{
    AccountMail, AccountMailData, ChangeEmailNotification, PasswordChangedNotification,
    ResetPasswordNotification, VerifyEmailNotification,
};
use crate::config::MailPages;

/// Fills the engine's mail callbacks where the app set none.
// spec: CFG-8, NTF-1, NTF-2
pub(crate) fn wire(options: &mut EngineOptions, pages: &MailPages) {
    let base = options.base_url.trim_end_matches('/').to_owned();
    let page = |page: &Option<String>| page.as_ref().map(|page| place(&base, page));

    let at = page(&pages.reset_password);
    options.email_and_password.send_reset_password.or_set(|| {
        Callback::new(move |mail: LinkMail| {
            let data = data(&mail.user, Some(link(at.as_deref(), &mail.url, &mail.token)));
            tell(
                Recipient::of(&mail.user),
                ResetPasswordNotification { data, settings: settings().reset_password.clone() },
            )
        })
    });

    options.email_and_password.on_password_reset.or_set(|| {
        Callback::new(move |user: User| {
            let data = data(&user, None);
            tell(
                Recipient::of(&user),
                PasswordChangedNotification { data, settings: settings().password_changed.clone() },
            )
        })
    });

    let at = page(&pages.verify_email);
    options.email_verification.send_verification_email.or_set(|| {
        Callback::new(move |mail: LinkMail| {
            let data = data(&mail.user, Some(link(at.as_deref(), &mail.url, &mail.token)));
            tell(
                Recipient::of(&mail.user),
                VerifyEmailNotification { data, settings: settings().verify_email.clone() },
            )
        })
    });

    let at = page(&pages.change_email);
    options.user.change_email.send_change_email_confirmation.or_set(|| {
        Callback::new(move |mail: ChangeEmailMail| {
            let mut data = data(&mail.user, Some(link(at.as_deref(), &mail.url, &mail.token)));
            data.new_email = Some(mail.new_email);
            tell(
                Recipient::of(&mail.user),
                ChangeEmailNotification { data, settings: settings().change_email.clone() },
            )
        })
    });
}

/// What the app says about these mails. Asked when one is sent: the app may say it after this was wired.
pub(super) fn settings() -> Arc<AccountMail> {
    service().unwrap_or_default()
}

/// What goes wrong here is logged, and a mail server may quote the whole letter in its complaint: the link in it stays out.
// spec: NTF-8
async fn tell(to: Recipient, notification: impl Notification) -> Result<(), std::io::Error> {
    let told: Result<(), Error> = notify(&to, notification).await;
    told.map_err(|error| std::io::Error::other(discreet(&error.to_string())))
}

fn data(user: &User, url: Option<String>) -> AccountMailData {
    let name = Some(user.name.clone()).filter(|name| !name.trim().is_empty());
    AccountMailData { url, name, email: user.email.clone(), new_email: None }
}

/// A path is a page of this app; anything else stands where it says.
fn place(base: &str, page: &str) -> String {
    if page.starts_with('/') { format!("{base}{page}") } else { page.to_owned() }
}

/// The engine's own address, or a page of the app that asks before the token is spent.
fn link(page: Option<&str>, url: &str, token: &str) -> String {
    match page {
        None => url.to_owned(),
        Some(page) => format!("{page}?token={token}"),
    }
}

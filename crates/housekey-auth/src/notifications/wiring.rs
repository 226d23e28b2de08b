use std::sync::Arc;

use housekey_core::{Error, service};
use housekey_engine::options::{ChangeEmailMail, EngineOptions, LinkMail, Lockout, NewDevice};
use housekey_engine::{Callback, User};
use housekey_mail::redact_for_log;
use housekey_notifications::{Notifiable, Notification, notify};

use super::recipient::Recipient;
use super::{
    AccountMail, AccountMailData, ChangeEmailNotification, ExistingAccountNotification, LockoutNotification,
    NewDeviceNotification, PasswordChangedNotification, ResetPasswordNotification, VerifyEmailNotification,
};
use crate::AuthConfig;

/// Fills the engine's mail callbacks where the app set none.
// spec: CFG-8, NTF-1, NTF-2
pub(crate) fn wire(options: &mut EngineOptions, config: &AuthConfig) {
    let pages = &config.mail_pages;
    let base = options.base_url.trim_end_matches('/').to_owned();
    let page = |page: &Option<String>| page.as_ref().map(|page| place(&base, page));

    let at = page(&pages.reset_password);
    options.email_and_password.send_reset_password.or_set(|| {
        Callback::new(move |mail: LinkMail| {
            let url = link(at.as_deref(), &mail.url, &mail.token);
            let data = AccountMailData::of(&mail.user, Some(url));
            tell(
                Recipient::of(&mail.user),
                ResetPasswordNotification { data, settings: settings().reset_password.clone() },
            )
        })
    });

    options.email_and_password.on_password_reset.or_set(|| {
        Callback::new(move |user: User| {
            let data = AccountMailData::of(&user, None);
            tell(
                Recipient::of(&user),
                PasswordChangedNotification { data, settings: settings().password_changed.clone() },
            )
        })
    });

    let at = page(&pages.verify_email);
    options.email_verification.send_verification_email.or_set(|| {
        Callback::new(move |mail: LinkMail| {
            let url = link(at.as_deref(), &mail.url, &mail.token);
            // Nobody has proven the address that this goes to, also when the account has proven another.
            let data = AccountMailData { name: None, ..AccountMailData::of(&mail.user, Some(url)) };
            tell(
                Recipient::of(&mail.user),
                VerifyEmailNotification { data, settings: settings().verify_email.clone() },
            )
        })
    });

    let at = page(&pages.change_email);
    options.user.change_email.send_change_email_confirmation.or_set(|| {
        Callback::new(move |mail: ChangeEmailMail| {
            let url = link(at.as_deref(), &mail.url, &mail.token);
            let mut data = AccountMailData::of(&mail.user, Some(url));
            data.new_email = Some(mail.new_email);
            tell(
                Recipient::of(&mail.user),
                ChangeEmailNotification { data, settings: settings().change_email.clone() },
            )
        })
    });

    let sign_in = place(&base, &config.redirect_guests_to);
    let reset = page(&pages.forgot_password);
    options.email_and_password.on_existing_user_sign_up.or_set(|| {
        let forgot_password = reset.clone();
        Callback::new(move |user: User| {
            let data = AccountMailData::of(&user, Some(sign_in.clone()));
            let settings = settings().existing_account.clone();
            let forgot_password = forgot_password.clone();
            tell(Recipient::of(&user), ExistingAccountNotification { data, forgot_password, settings })
        })
    });
    if config.notices.new_device {
        let reset = reset.clone();
        options
            .alerts
            .on_new_device
            .or_set(|| Callback::new(move |device| new_device(device, reset.clone())));
    }
    if config.notices.lockout {
        options.alerts.on_lockout.or_set(|| Callback::new(move |lock| lockout(lock, reset.clone())));
    }
}

/// To an address that nobody has proven goes no such word: whoever typed it in could have strangers written to.
// spec: SEC-12
async fn new_device(device: NewDevice, reset: Option<String>) -> Result<(), std::io::Error> {
    let NewDevice { user, at, ip_address, user_agent } = device;
    if !user.email_verified {
        return Ok(());
    }
    let mut data = AccountMailData::of(&user, reset).happened(at, ip_address.as_deref());
    data.user_agent = Some(user_agent);
    tell(Recipient::of(&user), NewDeviceNotification { data, settings: settings().new_device.clone() }).await
}

// spec: SEC-12
async fn lockout(lock: Lockout, reset: Option<String>) -> Result<(), std::io::Error> {
    let Lockout { user, guessed, at, ip_address, .. } = lock;
    if !user.email_verified {
        return Ok(());
    }
    let data = AccountMailData::of(&user, reset).happened(at, ip_address.as_deref());
    tell(Recipient::of(&user), LockoutNotification { data, guessed, settings: settings().lockout.clone() })
        .await
}

/// What the app says about these mails. Asked when one is sent: the app may say it after this was wired.
pub(super) fn settings() -> Arc<AccountMail> {
    service().unwrap_or_default()
}

/// What goes wrong here is logged, and a mail server may quote the whole letter in its complaint: the link in it stays out.
// spec: NTF-8
pub(super) async fn tell(to: impl Notifiable, notification: impl Notification) -> Result<(), std::io::Error> {
    let told: Result<(), Error> = notify(&to, notification).await;
    told.map_err(|error| std::io::Error::other(redact_for_log(&error.to_string())))
}

/// A path is a page of this app; anything else stands where it says.
pub(super) fn place(base: &str, page: &str) -> String {
    if page.starts_with('/') { format!("{base}{page}") } else { page.to_owned() }
}

/// The engine's own address, or a page of the app that asks before the token is spent.
fn link(page: Option<&str>, url: &str, token: &str) -> String {
    match page {
        None => url.to_owned(),
        Some(page) => format!("{page}?token={token}"),
    }
}

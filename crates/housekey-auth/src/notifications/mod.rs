//! The mails about accounts.
//!
//! | notification | when | to whom |
//! |---|---|---|
//! | [`ResetPasswordNotification`] | somebody asks to reset a password | the account |
//! | [`VerifyEmailNotification`] | an address needs to be proven | that address |
//! | [`PasswordChangedNotification`] | a password was reset | the account, as a warning |
//! | [`ChangeEmailNotification`] | an account is to move to another address | the old address |
//! | [`ExistingAccountNotification`] | somebody signs up with an address that has an account, where the page must not say so | the account |
//! | [`NewDeviceNotification`] | a sign-in from a device that was not seen before | the account, if `notices` says so |
//! | [`MagicLinkNotification`] | somebody asks for a link to sign in, with the plugin `magic_link` | the address that was typed |
//! | [`EmailCodeNotification`] | somebody asks for a code, with the plugin `email_otp` | the address that was typed |
//! | [`LockoutNotification`] | too many wrong passwords or codes | the account, if `notices` says so |
//!
//! | [`InvitationNotification`] | somebody is invited to an organisation | the invited address |
//! | [`MemberRoleChangedNotification`] | a member has another role | that member |
//! | [`MemberRemovedNotification`] | somebody is no longer a member | that person |
//!
//! They fill the engine's mail callbacks where the app set none of its own. [`AppAccountMail::account_mail`] changes their
//! channels and their words. Every sentence goes through the translator; German, Spanish, French and Dutch come along.

mod change_email;
mod data;
mod email_code;
mod existing_account;
mod invitation;
mod language;
mod lockout;
mod magic_link;
mod member_removed;
mod member_role_changed;
mod new_device;
mod organizations;
mod password_changed;
mod previews;
mod recipient;
mod reset_password;
mod settings;
mod sign_in_mail;
mod verify_email;
mod wiring;

pub use change_email::ChangeEmailNotification;
pub use data::AccountMailData;
pub use email_code::{CodePurpose, EmailCodeNotification};
pub use existing_account::ExistingAccountNotification;
pub use invitation::InvitationNotification;
pub use lockout::LockoutNotification;
pub use magic_link::MagicLinkNotification;
pub use member_removed::MemberRemovedNotification;
pub use member_role_changed::MemberRoleChangedNotification;
pub use new_device::NewDeviceNotification;
pub(crate) use organizations::wire_organizations;
pub use password_changed::PasswordChangedNotification;
pub use reset_password::ResetPasswordNotification;
pub use settings::{AccountMail, AppAccountMail, MailSettings};
pub(crate) use sign_in_mail::wire_sign_in_mail;
pub use verify_email::VerifyEmailNotification;
pub(crate) use wiring::wire;

use housekey_core::Result;
use housekey_core::translation::Translator;
use housekey_http::Registrar;

const CATALOGUES: [(&str, &str); 4] = [
    ("de", include_str!("../../lang/de.json")),
    ("es", include_str!("../../lang/es.json")),
    ("fr", include_str!("../../lang/fr.json")),
    ("nl", include_str!("../../lang/nl.json")),
];

/// Adds the words of these mails in four languages below what the app says itself.
pub(crate) fn translate(app: &mut Registrar<'_>) -> Result<()> {
    let Some(translator) = app.services().get::<Translator>() else { return Ok(()) };
    let mut translator = (*translator).clone();
    for (language, json) in CATALOGUES {
        translator = translator.with_defaults(language, json)?;
    }
    app.services().insert(translator);
    Ok(())
}

pub(crate) use previews::preview;

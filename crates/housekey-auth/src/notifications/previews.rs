use housekey_mail::MailPreviews;
use housekey_notifications::Notification;

use super::wiring::settings;
use super::{
    AccountMailData, ChangeEmailNotification, PasswordChangedNotification, ResetPasswordNotification,
    VerifyEmailNotification,
};

/// Shows all four in `/dev/mailbox` without sending them.
pub(crate) fn preview(previews: &MailPreviews, base_url: &str) {
    let data = AccountMailData {
        url: Some(format!("{base_url}/preview?token=an-example-and-not-a-token")),
        name: Some("Ada Lovelace".into()),
        email: "ada@example.com".into(),
        new_email: Some("countess@example.com".into()),
    };
    let nobody = housekey_notifications::route("mail", "ada@example.com");
    macro_rules! add {
        ($name:literal, $notification:ident, $settings:ident) => {{
            let (data, to) = (data.clone(), nobody.clone());
            previews.add($name, move || {
                let notification =
                    $notification { data: data.clone(), settings: settings().$settings.clone() };
                Ok(notification.to_mail(&to)?.to("ada@example.com"))
            });
        }};
    }
    add!("Reset your password", ResetPasswordNotification, reset_password);
    add!("Confirm your address", VerifyEmailNotification, verify_email);
    add!("Your password was changed", PasswordChangedNotification, password_changed);
    add!("Move to another address", ChangeEmailNotification, change_email);
}

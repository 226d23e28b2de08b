use housekey_engine::Plugins;
use housekey_engine::options::Guessed;
use housekey_mail::MailPreviews;
use housekey_notifications::Notification;

use super::wiring::settings;
use super::{
    AccountMailData, ChangeEmailNotification, CodePurpose, EmailCodeNotification,
    ExistingAccountNotification, InvitationNotification, LockoutNotification, MagicLinkNotification,
    MemberRemovedNotification, MemberRoleChangedNotification, NewDeviceNotification,
    PasswordChangedNotification, ResetPasswordNotification, VerifyEmailNotification,
};

/// Shows all that the app can send in `/dev/mailbox` without sending them.
pub(crate) fn preview(previews: &MailPreviews, base_url: &str, plugins: &Plugins) {
    let data = AccountMailData {
        url: Some(format!("{base_url}/preview?token=an-example-and-not-a-token")),
        code: Some("123456".into()),
        expires_in: Some(300),
        name: Some("Ada Lovelace".into()),
        email: "ada@example.com".into(),
        new_email: Some("countess@example.com".into()),
        at: Some("2026-11-16 08:30 UTC".into()),
        address: Some("203.0.113.9".into()),
        user_agent: Some("Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0".into()),
        organization: Some("Analytical Engines".into()),
        invited_by: Some(("Charles Babbage".into(), "charles@example.com".into())),
        roles: vec!["admin".into()],
    };
    let page = Some(format!("{base_url}/forgot-password"));
    let nobody = housekey_notifications::route("mail", "ada@example.com");
    macro_rules! add {
        ($name:literal, $notification:ident, $settings:ident $(, $field:ident: $value:expr)?) => {{
            let (data, to) = (data.clone(), nobody.clone());
            previews.add($name, move || {
                let settings = settings().$settings.clone();
                let notification = $notification { data: data.clone(), $($field: $value.clone(),)? settings };
                Ok(notification.to_mail(&to)?.to("ada@example.com"))
            });
        }};
    }
    add!("Reset your password", ResetPasswordNotification, reset_password);
    add!("Confirm your address", VerifyEmailNotification, verify_email);
    add!("Your password was changed", PasswordChangedNotification, password_changed);
    add!("Move to another address", ChangeEmailNotification, change_email);
    add!("An account already", ExistingAccountNotification, existing_account, forgot_password: page);
    add!("A new device", NewDeviceNotification, new_device);
    add!("Many wrong passwords", LockoutNotification, lockout, guessed: Guessed::Password);
    if plugins.contains("magic-link") {
        add!("A link to sign in", MagicLinkNotification, magic_link);
    }
    if plugins.contains("email-otp") {
        add!("A code to sign in", EmailCodeNotification, email_code, purpose: CodePurpose::SignIn);
    }
    if plugins.contains("organization") {
        add!("An invitation", InvitationNotification, invitation);
        add!("Another role", MemberRoleChangedNotification, member_role_changed);
        add!("No longer a member", MemberRemovedNotification, member_removed);
    }
}

//! Links and codes by mail, as a test asks for them: what JSON can say, in the reference's shape.

use housekey_engine::Plugin;
use housekey_engine::plugins::email_otp::{ChangeEmailByCode, ResendStrategy, StoredCode};
use housekey_engine::plugins::magic_link::StoredToken;
use housekey_engine::plugins::{EmailOtpOptions, MagicLinkOptions, email_otp, magic_link};
use serde::Deserialize;

use crate::postbox::Postbox;

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct MagicLink {
    expires_in: Option<u32>,
    disable_sign_up: bool,
    store_token: Option<String>,
    /// Of ours alone: the page that asks before a link is spent.
    #[serde(rename = "confirmURL")]
    confirm_url: Option<String>,
}

impl MagicLink {
    pub(crate) fn plugin(self, postbox: &Postbox) -> Plugin {
        let usual = MagicLinkOptions::default();
        magic_link(MagicLinkOptions {
            send_magic_link: postbox.magic_links("sendMagicLink"),
            expires_in: self.expires_in.unwrap_or(usual.expires_in),
            disable_sign_up: self.disable_sign_up,
            store_token: match self.store_token.as_deref() {
                Some("plain") => StoredToken::Plain,
                _ => StoredToken::Hashed,
            },
            confirm_url: self.confirm_url,
            ..usual
        })
    }
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
pub(crate) struct EmailOtp {
    otp_length: Option<usize>,
    expires_in: Option<u32>,
    allowed_attempts: Option<u32>,
    #[serde(rename = "storeOTP")]
    store_otp: Option<String>,
    resend_strategy: Option<String>,
    send_verification_on_sign_up: bool,
    disable_sign_up: bool,
    change_email: ChangeEmail,
}

#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default, deny_unknown_fields)]
struct ChangeEmail {
    enabled: bool,
    verify_current_email: bool,
}

impl EmailOtp {
    pub(crate) fn plugin(self, postbox: &Postbox) -> Plugin {
        let usual = EmailOtpOptions::default();
        let ChangeEmail { enabled, verify_current_email } = self.change_email;
        email_otp(EmailOtpOptions {
            send_verification_otp: postbox.email_codes("sendVerificationOTP"),
            otp_length: self.otp_length.unwrap_or(usual.otp_length),
            expires_in: self.expires_in.unwrap_or(usual.expires_in),
            allowed_attempts: self.allowed_attempts.unwrap_or(usual.allowed_attempts),
            store_otp: match self.store_otp.as_deref() {
                Some("plain") => StoredCode::Plain,
                Some("encrypted") => StoredCode::Encrypted,
                Some("hashed") => StoredCode::Hashed,
                _ => StoredCode::Keyed,
            },
            resend_strategy: match self.resend_strategy.as_deref() {
                Some("reuse") => ResendStrategy::Reuse,
                _ => ResendStrategy::Rotate,
            },
            send_verification_on_sign_up: self.send_verification_on_sign_up,
            disable_sign_up: self.disable_sign_up,
            change_email: ChangeEmailByCode { enabled, verify_current_email },
            ..usual
        })
    }
}

use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::email_otp::{EmailOtpMail, EmailOtpOptions, EmailOtpType, email_otp};
use housekey_engine::plugins::magic_link::{MagicLinkMail, MagicLinkOptions, magic_link};
use housekey_engine::{Callback, Plugins, User};
use housekey_notifications::route;

use super::wiring::{place, settings, tell};
use super::{AccountMailData, CodePurpose, EmailCodeNotification, MagicLinkNotification};
use crate::AuthConfig;

/// Completes the plugins that sign people in by mail: who sends it, where its link leads, and whether strangers get an account.
// spec: KEY-1, KEY-3, CFG-8
pub(crate) fn wire_sign_in_mail(plugins: &mut Plugins, engine: &EngineOptions, config: &AuthConfig) {
    if let Some(options) = plugins.state::<MagicLinkOptions>("magic-link") {
        plugins.replace(magic_link(with_links(MagicLinkOptions::clone(&options), engine, config)));
    }
    if let Some(options) = plugins.state::<EmailOtpOptions>("email-otp") {
        plugins.replace(email_otp(with_codes(EmailOtpOptions::clone(&options), engine)));
    }
}

fn with_links(
    mut options: MagicLinkOptions,
    engine: &EngineOptions,
    config: &AuthConfig,
) -> MagicLinkOptions {
    let base = engine.base_url.trim_end_matches('/');
    if options.confirm_url.is_none() {
        options.confirm_url = config.mail_pages.magic_link.as_ref().map(|page| place(base, page));
    }
    #[cfg(feature = "social")]
    if options.second_factor_url.is_none() {
        options.second_factor_url.clone_from(&engine.social.second_factor_url);
    }
    options.disable_sign_up |= engine.email_and_password.disable_sign_up;
    let (page, expires_in) = (options.confirm_url.clone(), options.expires_in);
    options.send_magic_link.or_set(|| {
        Callback::new(move |mail: MagicLinkMail| {
            let url = link(page.as_deref(), &mail.url);
            let mut data = about(&mail.email, mail.user.as_ref(), expires_in);
            data.url = Some(url);
            let settings = settings().magic_link.clone();
            tell(route("mail", &mail.email), MagicLinkNotification { data, settings })
        })
    });
    options
}

fn with_codes(mut options: EmailOtpOptions, engine: &EngineOptions) -> EmailOtpOptions {
    options.disable_sign_up |= engine.email_and_password.disable_sign_up;
    let expires_in = options.expires_in;
    options.send_verification_otp.or_set(|| {
        Callback::new(move |mail: EmailOtpMail| {
            let mut data = about(&mail.email, mail.user.as_ref(), expires_in);
            data.code = Some(mail.otp.clone());
            let (purpose, settings) = (purpose(mail.kind), settings().email_code.clone());
            tell(route("mail", &mail.email), EmailCodeNotification { data, purpose, settings })
        })
    });
    options
}

/// To the address that was asked about, which may be nobody's yet. Who has proven it is greeted by name.
fn about(email: &str, user: Option<&User>, expires_in: u32) -> AccountMailData {
    let known = user.filter(|user| user.email == email).map(|user| AccountMailData::of(user, None));
    AccountMailData {
        email: email.to_owned(),
        expires_in: Some(expires_in.into()),
        ..known.unwrap_or_default()
    }
}

/// The page takes what the engine's own address would: the token, and where to go afterwards.
fn link(page: Option<&str>, url: &str) -> String {
    match (page, url.split_once('?')) {
        (Some(page), Some((_, query))) => format!("{page}?{query}"),
        _ => url.to_owned(),
    }
}

fn purpose(kind: EmailOtpType) -> CodePurpose {
    match kind {
        EmailOtpType::SignIn => CodePurpose::SignIn,
        EmailOtpType::EmailVerification => CodePurpose::VerifyEmail,
        EmailOtpType::ForgetPassword => CodePurpose::ResetPassword,
        EmailOtpType::ChangeEmail => CodePurpose::ChangeEmail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_of_the_app_takes_the_place_of_the_engines_address() {
        let url = "https://x.example/api/auth/magic-link/verify?token=abc&callbackURL=%2F";
        assert_eq!(link(None, url), url);
        let page = "https://x.example/magic-link";
        assert_eq!(link(Some(page), url), "https://x.example/magic-link?token=abc&callbackURL=%2F");
    }
}

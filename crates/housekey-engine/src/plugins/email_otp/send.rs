use serde_json::json;

use super::codes::refusal;
use super::row::Slot;
use super::{EmailOtpMail, EmailOtpType, options};
use crate::{Api, Endpoint, Field, Reply, Result, SecurityEventKind, Shape, with_minimum_duration};

/// `POST /email-otp/send-verification-otp`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/email-otp/send-verification-otp", |api| Box::pin(answer(api)))
        .about("Sends a code by mail. The answer is the same for every address.")
        .takes([Field::email("email"), Field::choice("type", EmailOtpType::NAMES)])
        .answers(Shape::success())
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let email = body.text("email");
    let kind = body.choice("type", &EmailOtpType::NAMES).and_then(EmailOtpType::named);
    body.finish()?;
    api.check_sign_in_origin().await?;
    send(api, &email, kind.unwrap_or(EmailOtpType::ChangeEmail)).await?;
    Reply::json(&json!({ "success": true }))
}

/// Sends a code. Whether the address is anybody's tells neither what comes back nor the time that it takes; an address that was
/// sent too many is sent no more for a while. A code for moving to another address is
/// [asked for](super::request_email_change) by whoever is signed in.
// spec: KEY-1, SEC-5
pub async fn send(api: &mut Api, email: &str, kind: EmailOtpType) -> Result<()> {
    let email = email.to_lowercase();
    api.check_email(&email)?;
    if kind == EmailOtpType::ChangeEmail {
        return Err(refusal("Invalid OTP type"));
    }
    let clock = api.clock().clone();
    with_minimum_duration(&clock, deliver(api, &email, kind)).await
}

/// Makes a code and sends it, if somebody is there to get it.
pub(super) async fn deliver(api: &Api, email: &str, kind: EmailOtpType) -> Result<()> {
    let options = options(api)?;
    if !api.may_mail(mail(kind), email, options.expires_in).await {
        return Ok(());
    }
    let user = api.user_by_email(email).await?;
    // Made for an address that is nobody's as well: wrong codes get the same answers there, one after the other.
    let otp = Slot::new(kind, email, user.as_ref()).issue(api, &options).await?;
    if kind == EmailOtpType::ForgetPassword {
        let asked = SecurityEventKind::PasswordResetAsked;
        let event = user.as_ref().map(|user| api.event(asked, Some(&user.id)));
        api.emit(event.unwrap_or_else(|| api.unknown_user_event(asked, email))).await;
    }
    let is_welcome = kind == EmailOtpType::SignIn && !options.disable_sign_up;
    if user.is_none() && !is_welcome {
        tracing::debug!("a code was asked for an address that is not known");
        return Ok(());
    }
    let mail = EmailOtpMail { email: email.to_owned(), otp, kind, user };
    api.send("sendVerificationOTP", &options.send_verification_otp, mail).await;
    Ok(())
}

/// What mails of a kind are counted as.
pub(super) fn mail(kind: EmailOtpType) -> &'static str {
    match kind {
        EmailOtpType::EmailVerification => "email-otp-email-verification",
        EmailOtpType::SignIn => "email-otp-sign-in",
        EmailOtpType::ForgetPassword => "email-otp-forget-password",
        EmailOtpType::ChangeEmail => "email-otp-change-email",
    }
}

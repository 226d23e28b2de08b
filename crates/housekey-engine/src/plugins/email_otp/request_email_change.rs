use http::StatusCode;
use serde_json::json;

use super::codes::refusal;
use super::row::{Right, Slot};
use super::send::mail;
use super::{
    EmailOtpMail, EmailOtpOptions, EmailOtpType, INVALID_OTP, OTP_EXPIRED, TOO_MANY_ATTEMPTS, options,
};
use crate::{
    Api, Commit, Endpoint, Field, Reply, Result, Secret, SecurityEventKind, Shape, User,
    with_minimum_duration,
};

/// `POST /email-otp/request-email-change`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/email-otp/request-email-change", |api| Box::pin(answer(api)))
        .about("Sends a code to a new address, which moves the account there.")
        .takes([
            Field::email("newEmail"),
            Field::secret("otp").optional().about("The code that was sent to the old address."),
        ])
        .answers(Shape::success())
        .needs_session()
        .refuses(StatusCode::BAD_REQUEST, [INVALID_OTP, OTP_EXPIRED])
        .refuses(StatusCode::FORBIDDEN, [TOO_MANY_ATTEMPTS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let (new_email, otp) = (body.text("newEmail"), body.optional_text("otp"));
    body.finish()?;
    let otp = otp.filter(|otp| !otp.is_empty()).map(Secret::from);
    request_email_change(api, &new_email, otp.as_ref()).await?;
    Reply::json(&json!({ "success": true }))
}

/// Sends a code to the new address of whoever is signed in, with which the account [moves](super::change_email) there. Where the
/// options ask for it, `otp` is the code of the type [`EmailVerification`](EmailOtpType::EmailVerification) that was sent to the
/// old address. That the new address is somebody else's is not told, by the time neither.
// spec: SEC-5
pub async fn request_email_change(api: &mut Api, new_email: &str, otp: Option<&Secret>) -> Result<()> {
    let options = options(api)?;
    let signed_in = api.require_stored_session().await?;
    let new_email = new_address(api, &options, &signed_in.user, new_email)?;
    let user = &signed_in.user;
    if options.change_email.verify_current_email {
        let Some(otp) = otp else { return Err(refusal("OTP is required to verify current email")) };
        let old = user.email.to_lowercase();
        let right =
            Slot::new(EmailOtpType::EmailVerification, &old, Some(user)).check(api, &options, otp).await?;
        spend(api, &right).await?;
    }
    let clock = api.clock().clone();
    with_minimum_duration(&clock, deliver(api, &options, user, &new_email)).await
}

/// The new address in lower case, if an account may move there at all.
pub(super) fn new_address(
    api: &Api,
    options: &EmailOtpOptions,
    user: &User,
    new_email: &str,
) -> Result<String> {
    if !options.change_email.enabled {
        return Err(refusal("Change email with OTP is disabled"));
    }
    let new_email = new_email.to_lowercase();
    api.check_email(&new_email)?;
    if new_email == user.email.to_lowercase() {
        return Err(refusal("Email is the same"));
    }
    Ok(new_email)
}

async fn spend(api: &Api, right: &Right) -> Result<()> {
    let mut changes = api.changes();
    right.spend_in(api, &mut changes).await?;
    match changes.commit().await? {
        Commit::Done => Ok(()),
        Commit::Lost => Err(INVALID_OTP.bad_request()),
    }
}

async fn deliver(api: &Api, options: &EmailOtpOptions, user: &User, new_email: &str) -> Result<()> {
    let kind = EmailOtpType::ChangeEmail;
    if !api.may_mail(mail(kind), new_email, options.expires_in).await {
        return Ok(());
    }
    // Before it is looked up whose the address is: wrong codes get the same answers for one that is taken.
    let otp = Slot::of_change(user, new_email).issue(api, options).await?;
    api.emit(api.event(SecurityEventKind::EmailChangeAsked, Some(&user.id))).await;
    if api.user_by_email(new_email).await?.is_some() {
        return Ok(());
    }
    let mail = EmailOtpMail { email: new_email.to_owned(), otp, kind, user: Some(user.clone()) };
    api.send("sendVerificationOTP", &options.send_verification_otp, mail).await;
    Ok(())
}

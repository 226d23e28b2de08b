use http::StatusCode;
use serde::Serialize;

use super::row::Slot;
use super::{EmailOtpType, INVALID_OTP, OTP_EXPIRED, TOO_MANY_ATTEMPTS, options};
use crate::{Api, Endpoint, Field, Record, Reply, Result, Secret, Shape, User, UserView, codes};

/// `POST /email-otp/verify-email`
pub(super) fn endpoint() -> Endpoint {
    let body = [
        Field::boolean("status"),
        Field::new("token", Shape::secret().or_null()).about("Where proving an address signs in."),
        Field::row("user", "user"),
        Field::boolean("twoFactorRedirect").optional().about("Where a second factor is due first."),
        Field::list("twoFactorMethods", Shape::text()).optional(),
    ];
    Endpoint::post("/email-otp/verify-email", |api| Box::pin(answer(api)))
        .about("Proves an address with a code that was sent there.")
        .takes([Field::email("email"), Field::secret("otp")])
        .answers(Shape::object(body))
        .refuses(StatusCode::BAD_REQUEST, [INVALID_OTP, OTP_EXPIRED, codes::USER_NOT_FOUND])
        .refuses(StatusCode::FORBIDDEN, [TOO_MANY_ATTEMPTS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Answer<'a> {
        status: bool,
        token: Option<&'a str>,
        user: UserView<'a>,
        #[serde(flatten)]
        challenge: Option<&'a Record>,
    }
    let mut body = api.request().read_body();
    let (email, otp) = (body.text("email"), body.secret("otp"));
    body.finish()?;
    api.check_sign_in_origin().await?;
    let user = verify_email(api, &email, &otp).await?;
    let signs_in = api.options().email_verification.auto_sign_in_after_verification;
    let session = api.known_session().flatten().filter(|session| signs_in && session.user.id == user.id);
    let token = session.as_ref().map(|session| session.session.token.as_str());
    let challenge = api.new_challenge();
    let challenge = challenge.as_ref().map(|challenge| &challenge.body);
    Reply::json(&Answer { status: true, token, user: api.user_view(&user)?, challenge })
}

/// Proves an address with a code that was sent there, and signs in where
/// [`auto_sign_in_after_verification`](crate::options::EmailVerification::auto_sign_in_after_verification) says so. Gives the user
/// as they are then.
pub async fn verify_email(api: &mut Api, email: &str, otp: &Secret) -> Result<User> {
    let options = options(api)?;
    let email = email.to_lowercase();
    api.check_email(&email)?;
    let user = api.user_by_email(&email).await?;
    let right =
        Slot::new(EmailOtpType::EmailVerification, &email, user.as_ref()).check(api, &options, otp).await?;
    let user = user.ok_or_else(|| codes::USER_NOT_FOUND.bad_request())?;
    let mut changes = api.changes();
    right.spend_in(api, &mut changes).await?;
    api.set_sign_in_method("email-otp");
    api.verify_email_with(changes, user).await?.ok_or_else(|| INVALID_OTP.bad_request())
}

use housekey::auth::api;
use housekey::auth::engine::SignIn;
use housekey::auth::engine::plugins::email_otp::{self, EmailOtpType, SignInEmailOtp};
use housekey::prelude::*;

use super::{last_used, signing_in_again};
use crate::requests::auth::{EmailCodeRequest, SignInMailRequest};

/// Where the address waits for its code: not in a URL, and not in a field that the visitor could change between the two steps.
const WAITING: &str = "sign-in.code";

/// `POST /sign-in/code`: a code to sign in with. The same answer, in the same time, whether the address has an account or not.
pub async fn send(Valid(form): Valid<SignInMailRequest>) -> Result<Redirect> {
    email_otp::send(&mut api()?, &form.email, EmailOtpType::SignIn).await.or_field_error("email")?;
    expect(&form.email)?;
    last_used::remember("email-code");
    Ok(redirect(&route("email-code")?))
}

/// Waits for the code that was sent to an address.
pub fn expect(email: &str) -> Result<()> {
    session().put(WAITING, email)
}

/// The address that waits for its code, if a sign-in is under way here.
pub async fn waiting() -> Result<Option<String>> {
    session().get(WAITING).await
}

/// `POST /sign-in/code/enter`
pub async fn store(Valid(form): Valid<EmailCodeRequest>) -> Result<Redirect> {
    let Some(email) = waiting().await? else {
        return begin_again(t("That took too long. Please ask for a new code."));
    };
    let page = signing_in_again::return_to().await?;
    let otp = form.code.chars().filter(char::is_ascii_digit).collect::<String>();
    let signed_in =
        email_otp::sign_in(&mut api()?, SignInEmailOtp { email, otp: otp.into(), ..default() }).await;
    if signed_in.as_ref().is_err_and(|error| error.is(email_otp::TOO_MANY_ATTEMPTS)) {
        session().forget(WAITING);
        return begin_again(t("Those were too many wrong codes. Please ask for a new one."));
    }
    let signed_in = signed_in.or_field_error("code")?;
    session().forget(WAITING);
    match signed_in {
        SignIn::Done(_) => signing_in_again::go_on(page).await,
        SignIn::Challenged(_) => Ok(redirect(&route("two-factor-challenge")?)),
    }
}

/// No code answers any more. That is not about what was typed: a page goes back to the beginning, and a script learns by the
/// status that nobody is about to be signed in.
fn begin_again(message: String) -> Result<Redirect> {
    if wants_json() {
        return Err(Error::unauthenticated().with_code("EMAIL_CODE_EXPIRED").with_message(message));
    }
    Ok(redirect(&route("sign-in")?).with("warning", message))
}

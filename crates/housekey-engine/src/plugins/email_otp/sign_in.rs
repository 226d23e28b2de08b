use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value as Json};

use super::row::{Right, Slot};
use super::{EmailOtpOptions, EmailOtpType, INVALID_OTP, OTP_EXPIRED, TOO_MANY_ATTEMPTS, options};
use crate::plugins::mail_proof::{self, Newcomer, SignInOutcome};
use crate::{
    Api, Columns, Endpoint, Field, Record, Reply, Result, Secret, SecurityEventKind, Shape, SignIn, User,
    UserView,
};

/// Somebody who signs in with a code.
#[derive(Clone, Debug, Default)]
pub struct SignInEmailOtp {
    pub email: String,
    /// The code that was sent there.
    pub otp: Secret,
    /// What they are called, if they are new.
    pub name: Option<String>,
    /// Where a picture of them is, if they are new.
    pub image: Option<String>,
    /// Columns of plugins and of the app's own, if they are new.
    pub fields: Record,
}

/// `POST /sign-in/email-otp`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-in/email-otp", |api| Box::pin(answer(api)))
        .about("Signs in with a code that was sent by mail, and makes an account for somebody who is new.")
        .takes([
            Field::email("email"),
            Field::secret("otp"),
            Field::text("name").optional().about("What somebody new is called."),
            Field::text("image").optional(),
        ])
        .takes_columns("user", Columns::Change)
        .answers(Shape::object([Field::secret("token"), Field::row("user", "user")]))
        .may_challenge()
        .refuses(StatusCode::BAD_REQUEST, [INVALID_OTP, OTP_EXPIRED])
        .refuses(StatusCode::FORBIDDEN, [TOO_MANY_ATTEMPTS])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Answer<'a> {
        token: &'a str,
        user: UserView<'a>,
    }
    let mut body = api.request().read_body().shaped(&["object", "record"]);
    let input = SignInEmailOtp {
        email: body.text("email"),
        otp: body.secret("otp"),
        name: body.optional_text("name"),
        image: body.optional_text("image"),
        fields: Record::new(),
    };
    let fields = body.all();
    body.finish()?;
    api.check_sign_in_origin().await?;
    match enter(api, input, Some(&fields)).await? {
        SignIn::Challenged(challenge) => Reply::json(&challenge.body),
        SignIn::Done(signed_in) => {
            let (token, user) = (signed_in.session.token.as_str(), api.user_view(&signed_in.user)?);
            Reply::json(&Answer { token, user })
        }
    }
}

/// Signs in with a code. Somebody new gets an account, unless the options say otherwise. A user whose address was not proven
/// before is theirs alone from now on: every other way in ends.
// spec: KEY-1, KEY-2
pub async fn sign_in(api: &mut Api, input: SignInEmailOtp) -> Result<SignIn> {
    enter(api, input, None).await
}

/// Signs in. What a client sent about somebody new is only looked at when somebody is.
async fn enter(api: &mut Api, input: SignInEmailOtp, sent: Option<&Map<String, Json>>) -> Result<SignIn> {
    api.set_sign_in_method("email-otp");
    let options = options(api)?;
    let email = input.email.to_lowercase();
    let user = api.user_by_email(&email).await?;
    let slot = Slot::new(EmailOtpType::SignIn, &email, user.as_ref());
    let right = match slot.check(api, &options, &input.otp).await {
        Ok(right) => right,
        Err(refusal) => {
            if refusal.code().is_some() {
                tell_refusal(api, &email, user.as_ref()).await;
            }
            return Err(refusal);
        }
    };
    let mut changes = api.changes();
    right.spend_in(api, &mut changes).await?;
    let outcome = match user {
        Some(user) => mail_proof::sign_in(api, changes, user).await?,
        None => {
            let newcomer = newcomer(api, &options, &right, input, sent).await?;
            // Without an address that is one, nobody could be written to, nor sign in again.
            api.check_email(&email)?;
            match mail_proof::sign_up(api, changes, &email, newcomer).await {
                Ok(outcome) => outcome,
                // Another name goes with the same code.
                Err(refusal) => return Err(right.kept_for(api, refusal).await),
            }
        }
    };
    let Some(SignInOutcome { sign_in, .. }) = outcome else { return Err(INVALID_OTP.bad_request()) };
    if let SignIn::Done(signed_in) = &sign_in {
        api.remember_code_device(&signed_in.user).await?;
    }
    Ok(sign_in)
}

async fn newcomer(
    api: &Api,
    options: &EmailOtpOptions,
    right: &Right,
    input: SignInEmailOtp,
    sent: Option<&Map<String, Json>>,
) -> Result<Newcomer> {
    if options.disable_sign_up {
        return Err(INVALID_OTP.bad_request());
    }
    let fields = match sent {
        None => input.fields,
        Some(sent) => match api.additional_input("user", sent, true) {
            Ok(fields) => fields,
            // Whoever forgot a field says it with the same code.
            Err(refusal) => return Err(right.kept_for(api, refusal).await),
        },
    };
    Ok(Newcomer { name: input.name, image: input.image, fields })
}

async fn tell_refusal(api: &Api, email: &str, user: Option<&User>) {
    let event = match user {
        Some(user) => api.event(SecurityEventKind::SignInRefused, Some(&user.id)),
        None => api.unknown_user_event(SecurityEventKind::SignInRefused, email),
    };
    api.emit(event.with("method", "email-otp").with("reason", "wrong-code")).await;
}

use std::sync::Arc;

use http::header::LOCATION;
use http::{HeaderValue, StatusCode};
use serde::Serialize;

use super::SignInPassword;
use crate::models::UserView;
use crate::timing::with_minimum_duration_on_error;
use crate::url::printable;
use crate::wire::check_sign_in_origin;
use crate::{Api, Challenge, Endpoint, Field, Media, Reply, Result, Secret, Shape, SignedIn, codes};

/// A person who says who they are.
#[derive(Clone, Debug, Default)]
pub struct SignInEmail {
    pub email: String,
    pub password: Secret,
    /// Where the browser should go, and where the link in a verification mail leads.
    pub callback_url: Option<String>,
    /// Whether the session outlives the browser; yes when unset.
    pub remember_me: Option<bool>,
}

/// The answer to a right address and password.
#[derive(Clone, Debug)]
pub enum SignIn {
    /// They are in.
    Done(Arc<SignedIn>),
    /// The credentials are right, and a plugin asks for more.
    Challenged(Challenge),
}

/// `POST /sign-in/email`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-in/email", |api| Box::pin(answer(api)))
        .accepting(Media::JsonOrForm)
        .about(
            "Signs in with an address and a password. A wrong password and an unknown address get \
             the same answer in the same time.",
        )
        .takes([
            Field::email("email"),
            Field::secret("password"),
            Field::url("callbackURL").optional().about("Where the browser should go then."),
            Field::boolean("rememberMe")
                .optional()
                .about("Whether the session outlives the browser; yes by default."),
        ])
        .answers(Shape::object([
            Field::boolean("redirect"),
            Field::text("token"),
            Field::url("url").optional(),
            Field::row("user", "user"),
        ]))
        .may_challenge()
        .refuses(StatusCode::UNAUTHORIZED, [codes::INVALID_EMAIL_OR_PASSWORD])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let input = SignInEmail {
        email: body.text("email"),
        password: body.secret("password"),
        callback_url: body.optional_text("callbackURL"),
        remember_me: body.optional_bool("rememberMe"),
    };
    body.finish()?;
    check_sign_in_origin(api).await?;
    let url = input.callback_url.clone();
    api.sign_in_email(input).await?.reply(api, url.as_deref())
}

impl SignIn {
    /// The answer to whoever gave a password: who they are, or what is asked for first; and where their browser should go.
    pub fn reply(&self, api: &Api, url: Option<&str>) -> Result<Reply> {
        #[derive(Serialize)]
        struct Body<'a> {
            redirect: bool,
            token: &'a str,
            #[serde(skip_serializing_if = "Option::is_none")]
            url: Option<&'a str>,
            user: UserView<'a>,
        }
        let reply = match self {
            Self::Challenged(challenge) => Reply::json(&challenge.body)?,
            Self::Done(signed_in) => {
                let (token, user) = (signed_in.session.token.as_str(), api.user_view(&signed_in.user)?);
                Reply::json(&Body { redirect: url.is_some(), token, url, user })?
            }
        };
        Ok(match url.and_then(|url| HeaderValue::try_from(printable(url)).ok()) {
            Some(location) => reply.with_header(LOCATION, location),
            None => reply,
        })
    }
}

impl Api {
    /// Signs in with an address and a password.
    ///
    /// A wrong password, an unknown address and an address without a password give the same answer in the same time, and with
    /// `hide_unverified` an address that is not proven yet does too.
    pub async fn sign_in_email(&mut self, input: SignInEmail) -> Result<SignIn> {
        let core = Arc::clone(&self.core);
        let options = &core.options.email_and_password;
        match options.require_email_verification && options.hide_unverified {
            true => with_minimum_duration_on_error(&core.clock, self.sign_in_by_email(input)).await,
            false => self.sign_in_by_email(input).await,
        }
    }

    async fn sign_in_by_email(&mut self, input: SignInEmail) -> Result<SignIn> {
        self.core.check_email(&input.email)?;
        let input = SignInPassword {
            user: self.user_by_email(&input.email).await?,
            name: input.email,
            password: input.password,
            callback_url: input.callback_url,
            remember_me: input.remember_me,
            refusal: codes::INVALID_EMAIL_OR_PASSWORD,
        };
        self.sign_in_by_password(input).await
    }
}

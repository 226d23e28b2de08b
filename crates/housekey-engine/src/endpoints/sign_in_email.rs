use std::sync::Arc;

use http::HeaderValue;
use http::header::LOCATION;
use serde::Serialize;

use super::refused_no_sooner;
use crate::api::Guess;
use crate::models::{UserView, find_credential};
use crate::password::{Verdict, check_password_length};
use crate::storage::Filter;
use crate::url::printable;
use crate::wire::check_sign_in_origin;
use crate::{
    Api, Challenge, Endpoint, Media, Record, Reply, Result, Secret, SecurityEventKind, SignedIn, User, codes,
};

/// A person who says who they are.
#[derive(Clone, Debug, Default)]
pub struct SignInEmail {
    /// Their address.
    pub email: String,
    pub password: Secret,
    /// Where the browser should go, and where the link in a verification mail leads.
    pub callback_url: Option<String>,
    /// Whether the session outlives the browser; yes when unset.
    pub remember_me: Option<bool>,
}

/// What came of it.
#[derive(Clone, Debug)]
pub enum SignIn {
    /// They are in.
    Done(Arc<SignedIn>),
    /// The credentials are right, and a plugin asks for more.
    Challenged(Challenge),
}

/// `POST /sign-in/email`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-in/email", |api| Box::pin(answer(api))).accepting(Media::JsonOrForm)
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        redirect: bool,
        token: &'a str,
        #[serde(skip_serializing_if = "Option::is_none")]
        url: Option<&'a str>,
        user: UserView<'a>,
    }
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
    let reply = match api.sign_in_email(input).await? {
        SignIn::Challenged(challenge) => Reply::json(&challenge.body)?,
        SignIn::Done(signed_in) => {
            let (token, user) = (signed_in.session.token.as_str(), api.user_view(&signed_in.user)?);
            Reply::json(&Body { redirect: url.is_some(), token, url: url.as_deref(), user })?
        }
    };
    Ok(match url.and_then(|url| HeaderValue::try_from(printable(&url)).ok()) {
        Some(location) => reply.with_header(LOCATION, location),
        None => reply,
    })
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
            true => refused_no_sooner(&core.clock, Box::pin(self.sign_in_by_password(input))).await,
            false => self.sign_in_by_password(input).await,
        }
    }

    async fn sign_in_by_password(&mut self, input: SignInEmail) -> Result<SignIn> {
        self.core.check_email(&input.email)?;
        check_password_length(&self.core.options, &input.password)?;
        let (user, hash) = self.check_credentials(&input.email, &input.password).await?;
        let required = self.options().email_and_password.require_email_verification;
        if required && !user.email_verified {
            if self.options().email_verification.send_on_sign_in {
                self.send_verification(&user, input.callback_url.as_deref()).await;
            }
            let refused = self.event(SecurityEventKind::SignInRefused, Some(&user.id));
            self.emit(refused.with("reason", "unproven-address")).await;
            return Err(match self.options().email_and_password.hide_unverified {
                true => codes::INVALID_EMAIL_OR_PASSWORD.unauthorized(),
                false => codes::EMAIL_NOT_VERIFIED.forbidden(),
            });
        }
        self.set_sign_in_method("password");
        let sign_in = self.sign_in_user(user.clone(), Some(input.remember_me.unwrap_or(true))).await?;
        // After the session's cookie, which simple clients take to be the first. Where new devices are told of, one is known
        // when its session begins, and not while a code is waited for.
        if !self.options().alerts.on_new_device.is_set() {
            self.remember_device(&user, &hash);
        }
        Ok(sign_in)
    }

    /// Whose address and password these are, and the hash of the password as it is stored now.
    async fn check_credentials(&self, email: &str, password: &Secret) -> Result<(User, String)> {
        let core = &self.core;
        let user = self.user_by_email(email).await?;
        let account = match &user {
            Some(user) => find_credential(core, user).await?,
            None => None,
        };
        let hash = account.as_ref().and_then(|account| account.text("password"));
        let guess = Guess::SignIn { email, user: user.as_ref() };
        let verdict = self.judge_password(guess, password, hash).await?;
        match (user, &account, hash, verdict) {
            (Some(user), Some(_), Some(hash), Verdict::Right) => Ok((user, hash.to_owned())),
            (Some(user), Some(account), Some(hash), Verdict::RightButOutdated) => {
                Ok((user, self.hash_again(account, hash, password).await?))
            }
            _ => Err(codes::INVALID_EMAIL_OR_PASSWORD.unauthorized()),
        }
    }

    /// Stores a password in the way that is chosen now, unless it was changed meanwhile. The password stays the same,
    /// so no hook is told.
    async fn hash_again(&self, account: &Record, old: &str, password: &Secret) -> Result<String> {
        let hash = self.core.passwords.hash(password).await?;
        let filter = Filter::by("id", account.text("id").unwrap_or_default()).and_by("password", old);
        let changes = Record::new().with("password", &hash);
        self.core.storage.update(self.core.table("account")?, &filter, &changes).await?;
        Ok(hash)
    }
}

use std::sync::Arc;

use http::HeaderValue;
use http::header::LOCATION;
use serde::Serialize;

use crate::models::{CREDENTIAL, UserView, find_credential};
use crate::password::Verdict;
use crate::plugin::Challenge;
use crate::storage::{Filter, Find};
use crate::url::printable;
use crate::wire::{check_sign_in_origin, is_email};
use crate::{Api, Endpoint, Media, Record, Reply, Result, Secret, SignedIn, User, codes};

/// How many accounts are looked at to learn which kinds of hashes there are.
const SAMPLE: u32 = 50;

/// A person who says who they are.
#[derive(Clone, Debug, Default)]
pub struct SignInEmail {
    /// Their address.
    pub email: String,
    /// Their password.
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
    /// A wrong password, an unknown address and an address without a password give the same answer in the same time.
    pub async fn sign_in_email(&mut self, input: SignInEmail) -> Result<SignIn> {
        if !is_email(&input.email) {
            return Err(codes::INVALID_EMAIL.bad_request());
        }
        self.core.check_password_length(&input.password)?;
        let user = self.check_credentials(&input.email, &input.password).await?;
        let required = self.options().email_and_password.require_email_verification;
        if required && !user.email_verified {
            if self.options().email_verification.send_on_sign_in {
                self.send_verification(&user, input.callback_url.as_deref()).await;
            }
            return Err(codes::EMAIL_NOT_VERIFIED.forbidden());
        }
        self.sign_in_user(user, Some(input.remember_me.unwrap_or(true))).await
    }

    async fn check_credentials(&self, email: &str, password: &Secret) -> Result<User> {
        let core = &self.core;
        let refusal = || codes::INVALID_EMAIL_OR_PASSWORD.unauthorized();
        let filter = Filter::by("email", email.to_lowercase());
        let user = core.storage.find_one(core.table("user")?, &filter).await?;
        let user = user.map(User::from_record).transpose()?;
        let account = match &user {
            Some(user) => find_credential(core, user).await?,
            None => None,
        };
        let hash = account.as_ref().and_then(|account| account.text("password"));
        let (Some(user), Some(account), Some(hash)) = (user, &account, hash) else {
            self.settle(password, None).await?;
            return Err(refusal());
        };
        match core.passwords.verify(password, hash).await? {
            Verdict::Wrong => {
                self.settle(password, Some(hash)).await?;
                return Err(refusal());
            }
            Verdict::Right => {}
            Verdict::RightButOutdated => self.hash_again(account, hash, password).await?,
        }
        Ok(user)
    }

    /// Makes a refusal take as long as any other. A database that came from the reference holds hashes that cost more
    /// than ours: the first refusal looks at a few, so that it knows before it meets one.
    async fn settle(&self, password: &Secret, checked: Option<&str>) -> Result<()> {
        let core = &self.core;
        if core.passwords.wants_sample() {
            let some = Find::new(Filter::by("providerId", CREDENTIAL)).limit(SAMPLE);
            let accounts = core.storage.find(core.table("account")?, &some).await?;
            accounts
                .iter()
                .filter_map(|account| account.text("password"))
                .for_each(|hash| core.passwords.note(hash));
        }
        core.passwords.settle(password, checked).await
    }

    /// Stores a password in the way that is chosen now, unless it was changed meanwhile. The password stays the same,
    /// so no hook is told.
    async fn hash_again(&self, account: &Record, old: &str, password: &Secret) -> Result<()> {
        let hash = self.core.passwords.hash(password).await?;
        let filter = Filter::by("id", account.text("id").unwrap_or_default()).and_by("password", old);
        let changes = Record::new().with("password", hash);
        self.core.storage.update(self.core.table("account")?, &filter, &changes).await?;
        Ok(())
    }
}

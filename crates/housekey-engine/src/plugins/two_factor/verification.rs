//! Who gives a code, and what a right one brings: the part that all factors share.

use std::sync::Arc;

use serde::Serialize;

use super::challenge::{attempts_of, cookie};
use super::row::TwoFactorRow;
use super::{is_enabled, lockout, trusted_device};
use crate::storage::Filter;
use crate::{
    Api, Changes, Commit, Field, Reply, Result, SecurityEventKind, Shape, SignedIn, User, UserView, codes,
};

/// Wrong codes that one challenge forgives.
const ATTEMPTS: u32 = 5;
/// How often an attempt is counted again because another one was counted at the same time.
const TRIES: usize = 8;

/// A code, and whether this device need not give one again.
#[derive(Clone, Debug, Default)]
pub struct VerifyCode {
    /// What was typed.
    pub code: String,
    /// Whether to trust this device from now on.
    pub trust_device: bool,
}

/// What a right code brought.
#[derive(Clone, Debug)]
pub struct Verified {
    /// The user as they are now.
    pub user: User,
    /// Their session: the one they had, or a new one. None when none was wanted.
    pub session: Option<Arc<SignedIn>>,
    /// The codes to keep, when this was the first right code and turned the factor on. Only here, if they are hashed from now on.
    pub backup_codes: Vec<String>,
}

impl Verified {
    pub(super) fn new(user: User, session: Option<Arc<SignedIn>>) -> Self {
        Self { user, session, backup_codes: Vec::new() }
    }
}

/// The body of the endpoints that check a code.
pub(super) fn read_code(api: &Api) -> Result<VerifyCode> {
    let mut body = api.request().read_body();
    let input = VerifyCode {
        code: body.text("code"),
        trust_device: body.optional_bool("trustDevice").unwrap_or(false),
    };
    body.finish()?;
    Ok(input)
}

/// The same as it is described.
pub(super) fn fields() -> [Field; 2] {
    let trust = Field::boolean("trustDevice").optional();
    [Field::secret("code").example("123456"), trust.about("Whether this device need not give a code again.")]
}

/// What a right code is answered with.
pub(super) fn shape() -> Shape {
    Shape::object([Field::text("token").optional(), Field::row("user", "user")])
}

pub(super) fn answer(api: &Api, verified: &Verified) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        #[serde(skip_serializing_if = "Option::is_none")]
        token: Option<&'a str>,
        user: UserView<'a>,
    }
    let token = verified.session.as_ref().map(|signed_in| signed_in.session.token.as_str());
    Reply::json(&Body { token, user: api.user_view(&verified.user)? })
}

/// Who gives a code: someone signed in, or someone who gave the right password a moment ago.
pub(super) enum Claimant {
    SignedIn(Arc<SignedIn>),
    Challenged { challenge: String, row: String, user: Box<User> },
}

impl Claimant {
    pub(super) async fn of(api: &mut Api) -> Result<Self> {
        if let Some(signed_in) = api.stored_session().await? {
            return Ok(Self::SignedIn(signed_in));
        }
        let invalid = || codes::INVALID_TWO_FACTOR_COOKIE.unauthorized();
        // Any signed value verifies here; only a challenge starts like one.
        let challenge = api.signed_cookie(&cookie(api)).filter(|id| id.starts_with("2fa-") && id.len() == 24);
        let challenge = challenge.ok_or_else(invalid)?;
        let found = api.verifications().find(&challenge).await?.ok_or_else(invalid)?;
        let user = api.user(&found.value).await?.ok_or_else(invalid)?;
        Ok(Self::Challenged { challenge, row: found.id, user: Box::new(user) })
    }

    pub(super) fn user(&self) -> &User {
        match self {
            Self::SignedIn(signed_in) => &signed_in.user,
            Self::Challenged { user, .. } => user,
        }
    }

    /// Under which a code that was sent is kept.
    pub(super) fn otp_identifier(&self) -> String {
        match self {
            Self::SignedIn(signed_in) => format!("2fa-otp-{}!{}", signed_in.user.id, signed_in.session.id),
            Self::Challenged { challenge, .. } => format!("2fa-otp-{challenge}"),
        }
    }

    /// Counts an attempt, on the challenge and on the account, *before* the code is looked at, so that guesses sent at the
    /// same time count too.
    pub(super) async fn attempt(&self, api: &mut Api, row: Option<&TwoFactorRow>) -> Result<()> {
        if let Some(row) = row {
            lockout::check(api, row)?;
        }
        self.attempt_challenge(api).await?;
        match row {
            Some(row) => lockout::reserve(api, self.user(), row).await,
            None => Ok(()),
        }
    }

    async fn attempt_challenge(&self, api: &mut Api) -> Result<()> {
        let Self::Challenged { challenge, .. } = self else { return Ok(()) };
        let identifier = attempts_of(challenge);
        for _ in 0..TRIES {
            let Some(counted) = api.verifications().find(&identifier).await? else {
                return Err(codes::INVALID_TWO_FACTOR_COOKIE.unauthorized());
            };
            let count: u32 = counted.value.parse().unwrap_or(ATTEMPTS);
            if count >= ATTEMPTS {
                api.verifications().delete(challenge).await?;
                api.verifications().delete(&identifier).await?;
                let cookie = cookie(api);
                api.clear_cookie(&cookie);
                return Err(codes::TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE.bad_request());
            }
            if api.verifications().swap(&counted, &(count + 1).to_string()).await? {
                return Ok(());
            }
        }
        Err(codes::TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE.bad_request())
    }

    /// Adds to some changes that the challenge is spent: of two right codes at the same time, one brings a session.
    pub(super) async fn spend_in(&self, api: &Api, changes: &mut Changes) -> Result<()> {
        let Self::Challenged { challenge, row, .. } = self else { return Ok(()) };
        changes.delete_expecting("verification", Filter::by("id", row)).await?;
        api.verifications().delete_in(changes, &attempts_of(challenge)).await
    }

    /// Tells that a code was right, where it brings no session.
    pub(super) async fn pass(&self, api: &Api, method: &'static str) {
        emit(api, SecurityEventKind::SecondFactorPassed, self.user(), method).await;
    }

    /// Tells that a code was wrong. While there is no factor yet, it was none.
    pub(super) async fn refuse(&self, api: &Api, method: &'static str) {
        if is_enabled(self.user()) {
            emit(api, SecurityEventKind::SecondFactorRefused, self.user(), method).await;
        }
    }

    /// What a right code brings: to someone signed in nothing new, to someone challenged a session. It happens together
    /// with the changes, which spend the code; `None` when someone else spent it or the challenge.
    pub(super) async fn admit(
        self,
        api: &mut Api,
        mut changes: Changes,
        method: &'static str,
        trust_device: bool,
    ) -> Result<Option<Verified>> {
        self.spend_in(api, &mut changes).await?;
        let user = match self {
            Self::Challenged { user, .. } => user,
            Self::SignedIn(signed_in) => {
                let user = User::clone(&signed_in.user);
                let done = changes.commit().await? == Commit::Done;
                if done {
                    emit(api, SecurityEventKind::SecondFactorPassed, &user, method).await;
                }
                return Ok(done.then_some(Verified::new(user, Some(signed_in))));
            }
        };
        let session = api.prepare_session(&mut changes, &user.id, None).await?;
        let proof = match trust_device {
            true => Some(trusted_device::trust_in(api, &mut changes, &user).await?),
            false => None,
        };
        if changes.commit().await? == Commit::Lost {
            return Ok(None);
        }
        let signed_in = api.adopt_session(SignedIn::new(session, (*user).clone()), None).await;
        let cookie = cookie(api);
        api.clear_cookie(&cookie);
        if let Some(proof) = proof {
            trusted_device::hand_out(api, &proof)?;
            let dont_remember = api.cookie("dont_remember");
            api.clear_cookie(&dont_remember);
        }
        emit(api, SecurityEventKind::SecondFactorPassed, &user, method).await;
        emit(api, SecurityEventKind::SignIn, &user, method).await;
        if trust_device {
            api.emit(api.event(SecurityEventKind::DeviceTrusted, Some(&user.id))).await;
        }
        api.alert_new_device(&user).await;
        Ok(Some(Verified::new(*user, Some(signed_in))))
    }
}

async fn emit(api: &Api, kind: SecurityEventKind, user: &User, method: &'static str) {
    api.emit(api.event(kind, Some(&user.id)).with("method", method)).await;
}

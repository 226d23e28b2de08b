use super::row::Link;
use super::{LINK_OPENED_ELSEWHERE, SIGN_UP_DISABLED, options};
use crate::plugins::mail_proof::{self, Newcomer, SignInOutcome};
use crate::{Api, ApiError, Result, Secret, SecurityEventKind, SignIn, User, codes};

/// How often somebody is looked up again because another request was faster.
const ATTEMPTS: usize = 3;

/// The sign-in that came of a magic link.
#[derive(Clone, Debug)]
pub struct SpentLink {
    /// Who is in, or what is asked for first.
    pub sign_in: SignIn,
    /// Whether a user was made for them.
    pub is_new: bool,
}

/// Spends a link and signs in whoever it was sent to. It works once: of two who spend it at the same time, one is signed in.
///
/// A refusal is `INVALID_TOKEN` (used, too old, never was), [`LINK_OPENED_ELSEWHERE`], [`SIGN_UP_DISABLED`], or what a hook or a
/// guard says. A user whose address was not proven before is theirs alone from now on: every other way in ends.
// spec: KEY-1, KEY-2
pub async fn spend(api: &mut Api, token: &Secret) -> Result<SpentLink> {
    api.set_sign_in_method("magic-link");
    let options = options(api)?;
    for _ in 0..ATTEMPTS {
        let Some(link) = Link::find(api, &options, token).await? else {
            return Err(refuse(api, None, "invalid-link", codes::INVALID_TOKEN.bad_request()).await);
        };
        let user = api.user_by_email(&link.email).await?;
        if !link.is_here {
            let refusal = LINK_OPENED_ELSEWHERE.forbidden();
            return Err(refuse(api, user.as_ref(), "opened-elsewhere", refusal).await);
        }
        let mut changes = api.changes();
        link.spend_in(api, &mut changes).await?;
        let outcome = match user {
            Some(user) => mail_proof::sign_in(api, changes, user).await?,
            None if options.disable_sign_up => {
                let _ = changes.commit().await?;
                return Err(refuse(api, None, "sign-up-disabled", SIGN_UP_DISABLED.forbidden()).await);
            }
            None => {
                let newcomer = Newcomer { name: link.name.clone(), ..Newcomer::default() };
                mail_proof::sign_up(api, changes, &link.email, newcomer).await?
            }
        };
        // Lost: it was spent by somebody else, and is not found again; or the user changed meanwhile, and is.
        if let Some(SignInOutcome { sign_in, is_new }) = outcome {
            return Ok(SpentLink { sign_in, is_new });
        }
    }
    Err(codes::INVALID_TOKEN.bad_request())
}

async fn refuse(api: &Api, user: Option<&User>, reason: &'static str, refusal: ApiError) -> ApiError {
    let event = api.event(SecurityEventKind::SignInRefused, user.map(|user| user.id.as_str()));
    api.emit(event.with("method", "magic-link").with("reason", reason)).await;
    refusal
}

use super::permission::caller_who_may;
use super::{
    YOU_ARE_NOT_ALLOWED_TO_GET_USER, YOU_ARE_NOT_ALLOWED_TO_RESET_TWO_FACTOR,
    YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD, target,
};
use crate::plugins::two_factor;
use crate::storage::Filter;
use crate::{Api, ApiError, Commit, Result, SecurityEventKind, codes};

/// How somebody gets into their account.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Factors {
    pub has_password: bool,
    /// Whether a second factor is asked for.
    pub two_factor: bool,
    pub passkeys: u64,
    /// The ids of the providers with whom they can sign in, the oldest first.
    pub providers: Vec<String>,
}

/// How somebody gets into their account, if whoever is signed in may see that. Server code only: there is no endpoint.
pub async fn user_factors(api: &mut Api, id: &str) -> Result<Factors> {
    caller_who_may(api, "user", "get", YOU_ARE_NOT_ALLOWED_TO_GET_USER).await?;
    let user = target::find(api, id).await?;
    let accounts = api.accounts_of(id).await?;
    let providers = accounts.iter().filter_map(|account| account.text("providerId"));
    let passkeys = match api.schema().table("passkey") {
        Some(table) => api.storage().count(table, &Filter::by("userId", id)).await?,
        None => 0,
    };
    Ok(Factors {
        has_password: api.has_password(&user).await?,
        two_factor: two_factor::is_enabled(&user),
        passkeys,
        providers: providers.filter(|provider| *provider != "credential").map(str::to_owned).collect(),
    })
}

/// Turns somebody's second factor off, for who lost their phone and their codes: its secret, the codes and every trusted
/// device are forgotten. Their sessions go on. Server code only: there is no endpoint.
// spec: ADM-1
pub async fn reset_two_factor(api: &mut Api, id: &str) -> Result<()> {
    let denied = YOU_ARE_NOT_ALLOWED_TO_RESET_TWO_FACTOR;
    let caller = caller_who_may(api, "user", "reset-two-factor", denied).await?;
    let user = target::find(api, id).await?;
    super::options(api)?.check_target(&caller.user, &user)?;
    if !two_factor::is_enabled(&user) {
        return Err(codes::TWO_FACTOR_NOT_ENABLED.bad_request());
    }
    let mut changes = api.changes();
    two_factor::forget_in(api, &mut changes, &user).await?;
    if changes.commit().await? == Commit::Lost {
        return Err(ApiError::too_busy(std::time::Duration::from_secs(1)));
    }
    let event = api.event(SecurityEventKind::TwoFactorDisabled, Some(id));
    api.emit(target::by(event, &caller)).await;
    Ok(())
}

/// Sends somebody the link that sets a new password, as if they had asked for it. Server code only: there is no endpoint.
pub async fn send_password_reset(api: &mut Api, id: &str) -> Result<()> {
    let denied = YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD;
    let caller = caller_who_may(api, "user", "set-password", denied).await?;
    let user = target::find(api, id).await?;
    super::options(api)?.check_target(&caller.user, &user)?;
    api.emit(target::event(api, "password-reset-sent", id, &caller)).await;
    api.request_password_reset(&user.email, None).await
}

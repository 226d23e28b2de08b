use housekey::auth::engine::DeleteAccount;
use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::auth::{Device, Feature, api, events, offers};
use housekey::axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::history::what_happened;
use super::place::place;
use super::ways_in::ways_in;

/// How far back a copy goes, in things that happened.
const LONGEST_HISTORY: u32 = 1000;

/// `GET /settings/account/data`: a copy of what is kept about somebody, to take along. What your app knows about them
/// belongs in here too.
pub async fn data(CurrentUser(user): CurrentUser) -> Result<Response> {
    let mut api = api()?;
    let sessions = api.sessions_of(&user.id).await.or_http_error()?.into_iter().map(|session| {
        json!({
            "device": Device::of(session.user_agent.as_deref()).name,
            "address": place(session.ip_address.as_deref()),
            "firstSeen": rfc3339(session.created_at),
            "lastSeen": rfc3339(session.updated_at),
        })
    });
    let sessions: Vec<Value> = sessions.collect();
    let passkeys = match offers(Feature::Passkeys) {
        true => list_passkeys(&mut api).await.or_http_error()?,
        false => Vec::new(),
    };
    let passkeys = passkeys.into_iter().map(|passkey| {
        json!({
            "name": passkey.name,
            "added": passkey.created_at.map(rfc3339),
            "lastUsed": passkey.last_used_at.map(rfc3339),
        })
    });
    let accounts = ways_in(&user)
        .await?
        .accounts
        .into_iter()
        .map(|account| json!({ "provider": account.provider, "added": rfc3339(account.added) }));
    let accounts: Vec<Value> = accounts.collect();
    let history = events::recent(&user.id, LONGEST_HISTORY).await?.into_iter().map(|event| {
        json!({
            "what": what_happened(&event),
            "when": rfc3339(event.at),
            "device": Device::of(event.user_agent.as_deref()).name,
            "address": place(event.address.as_deref()),
        })
    });
    let copy = json!({
        "name": user.name,
        "email": user.email,
        "emailVerified": user.email_verified,
        "since": rfc3339(user.created_at),
        "sessions": sessions,
        "passkeys": passkeys.collect::<Vec<_>>(),
        "accounts": accounts,
        "history": history.collect::<Vec<_>>(),
    });
    let headers =
        [(CONTENT_DISPOSITION, "attachment; filename=\"account.json\""), (CACHE_CONTROL, "no-store")];
    Ok((headers, Json(copy)).into_response())
}

/// `DELETE /settings/account`
pub async fn destroy() -> Result<Redirect> {
    let mut api = api()?;
    api.confirm_presence();
    api.delete_user(DeleteAccount::default()).await.or_http_error()?;
    Ok(redirect(&route("home")?).with("status", t("Your account is deleted. Farewell.")))
}

fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}

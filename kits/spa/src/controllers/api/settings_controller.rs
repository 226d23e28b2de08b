use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::auth::engine::plugins::two_factor::{self, TwoFactorStatus};
use housekey::auth::guards::is_confirmed;
use housekey::auth::{Device, api, events, qr_svg};
use housekey::prelude::*;
use serde::Serialize;
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::session_controller::Provider;
use crate::controllers::auth::usernames::username_of;
use crate::controllers::settings::history::{SHOWN, what_happened};
use crate::controllers::settings::place::place;
use crate::controllers::settings::ways_in::ways_in;

/// `GET /api/settings/profile`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ProfileAnswer {
    /// What they call themselves.
    pub name: String,
    /// The name they sign in with beside the address, if they have one.
    pub username: Option<String>,
    /// Where their mail goes.
    pub email: String,
    /// Whether they have opened the link that was sent there.
    pub email_verified: bool,
    /// The address the account is moving to, as long as its link was not opened.
    pub pending_email: Option<String>,
}

/// `GET /api/settings/sessions`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionsAnswer {
    /// This device first, then the others by their last visit.
    pub sessions: Vec<SessionRow>,
}

/// One place where the account is signed in.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SessionRow {
    /// A name for the session that is no secret: never its token.
    pub id: String,
    /// Such as `Firefox on Linux`.
    pub device: String,
    /// Whether it is a phone or a tablet.
    pub mobile: bool,
    /// The address it was last seen at.
    pub ip: String,
    /// When it signed in. RFC 3339, like every moment here.
    pub first_seen: String,
    /// When it was last used.
    pub last_seen: String,
    /// Whether it is the one that asks.
    pub current: bool,
}

/// `GET /api/settings/history`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryAnswer {
    /// What happened to the account lately, the newest first.
    pub history: Vec<HistoryRow>,
}

/// One thing that happened to the account.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct HistoryRow {
    /// Such as `Signed in with a passkey`.
    pub what: String,
    /// Such as `Firefox on Linux`.
    pub device: String,
    /// The address it came from.
    pub ip: String,
    /// When it happened.
    pub at: String,
}

/// `GET /api/settings/passkeys`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PasskeysAnswer {
    /// Those of the account.
    pub passkeys: Vec<PasskeyRow>,
    /// Whether the only passkey is the only way into the account. It cannot be removed then.
    pub last_credential: bool,
}

/// One passkey of the list.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct PasskeyRow {
    /// For renaming and removing it.
    pub id: String,
    /// What its owner calls it.
    pub name: String,
    /// Who keeps it, such as `iCloud Keychain`, where the key tells.
    pub provider: Option<&'static str>,
    /// Whether its owner's other devices have it too; else it is on one device only.
    pub synced: bool,
    /// When it was added.
    pub added: Option<String>,
    /// When somebody proved with it who they are, if anybody did yet.
    pub last_used: Option<String>,
}

/// `GET /api/settings/accounts`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AccountsAnswer {
    /// Whether there is a password.
    pub has_password: bool,
    /// The accounts elsewhere that open this one.
    pub accounts: Vec<ConnectedAccountRow>,
    /// Those that could be connected.
    pub providers: Vec<Provider>,
}

/// One account elsewhere.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConnectedAccountRow {
    /// For disconnecting it.
    pub id: String,
    /// The id of who keeps it.
    pub provider: String,
    /// The name of who keeps it.
    pub name: String,
    /// When it was connected.
    pub added: String,
    /// Whether another way in is left without it.
    pub removable: bool,
}

/// `GET /api/settings/two-factor`
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase", tag = "state")]
pub enum TwoFactorAnswer {
    /// There is none.
    Off,
    /// The secret exists; the first code from the app has not been seen yet.
    Pending {
        /// The picture for the app's camera, an SVG.
        qr: String,
        /// The same for typing, in base 32.
        key: String,
    },
    /// It is asked for at every sign-in.
    #[serde(rename_all = "camelCase")]
    On {
        /// How many recovery codes were not used yet.
        codes_left: usize,
    },
}

/// `GET /api/settings/profile`
pub async fn profile(CurrentUser(user): CurrentUser) -> Result<Json<ProfileAnswer>> {
    let pending_email = api()?.pending_email(&user.id).await.or_http_error()?;
    Ok(Json(ProfileAnswer {
        name: user.name.clone(),
        username: username_of(&user).map(str::to_owned),
        email: user.email.clone(),
        email_verified: user.email_verified,
        pending_email,
    }))
}

/// `GET /api/settings/sessions`
pub async fn sessions(
    CurrentUser(user): CurrentUser,
    CurrentSession(current): CurrentSession,
) -> Result<Json<SessionsAnswer>> {
    let mut sessions = api()?.sessions_of(&user.id).await.or_http_error()?;
    sessions.sort_by_key(|session| (session.id != current.id, std::cmp::Reverse(session.updated_at)));
    let rows = sessions.into_iter().map(|session| {
        let device = Device::of(session.user_agent.as_deref());
        SessionRow {
            current: session.id == current.id,
            id: session.id,
            device: device.name,
            mobile: device.is_mobile,
            ip: place(session.ip_address.as_deref()),
            first_seen: rfc3339(session.created_at),
            last_seen: rfc3339(session.updated_at),
        }
    });
    Ok(Json(SessionsAnswer { sessions: rows.collect() }))
}

/// `GET /api/settings/history`
pub async fn history(CurrentUser(user): CurrentUser) -> Result<Json<HistoryAnswer>> {
    let rows = events::recent(&user.id, SHOWN).await?.into_iter().map(|event| HistoryRow {
        what: what_happened(&event),
        device: Device::of(event.user_agent.as_deref()).name,
        ip: place(event.address.as_deref()),
        at: rfc3339(event.at),
    });
    Ok(Json(HistoryAnswer { history: rows.collect() }))
}

/// `GET /api/settings/passkeys`
pub async fn passkeys(CurrentUser(user): CurrentUser) -> Result<Json<PasskeysAnswer>> {
    let mut api = api()?;
    let known = list_passkeys(&mut api).await.or_http_error()?;
    let ways = ways_in(&user).await?;
    let last_credential = known.len() == 1 && ways.are_passkeys_alone();
    let passkeys = known.into_iter().map(|passkey| PasskeyRow {
        provider: passkey.provider(),
        name: passkey.name.unwrap_or_else(|| t("A passkey")),
        synced: passkey.backed_up,
        added: passkey.created_at.map(rfc3339),
        last_used: passkey.last_used_at.map(rfc3339),
        id: passkey.id,
    });
    Ok(Json(PasskeysAnswer { passkeys: passkeys.collect(), last_credential }))
}

/// `GET /api/settings/accounts`
pub async fn accounts(CurrentUser(user): CurrentUser) -> Result<Json<AccountsAnswer>> {
    let ways = ways_in(&user).await?;
    let accounts = ways.accounts.into_iter().map(|account| ConnectedAccountRow {
        id: account.id,
        provider: account.provider,
        name: account.name,
        added: rfc3339(account.added),
        removable: account.removable,
    });
    Ok(Json(AccountsAnswer {
        has_password: ways.has_password,
        accounts: accounts.collect(),
        providers: ways.connectable.into_iter().map(Provider::from).collect(),
    }))
}

/// `GET /api/settings/two-factor`: the secret is in the answer only while it is being set up, for who entered the password
/// a while ago, and in no cache.
pub async fn two_factor(CurrentUser(user): CurrentUser) -> Result<Json<TwoFactorAnswer>> {
    let mut api = api()?;
    Ok(Json(match two_factor::status(&api, &user).await.or_http_error()? {
        TwoFactorStatus::Off => TwoFactorAnswer::Off,
        TwoFactorStatus::Pending if !is_confirmed().await? => TwoFactorAnswer::Off,
        TwoFactorStatus::Pending => {
            api.confirm_presence();
            let uri = two_factor::totp_uri(&mut api, None).await.or_http_error()?;
            TwoFactorAnswer::Pending { qr: qr_svg(&uri)?, key: secret_in(&uri).to_owned() }
        }
        TwoFactorStatus::On { codes_left } => TwoFactorAnswer::On { codes_left },
    }))
}

/// The secret in the address for an authenticator app.
fn secret_in(uri: &str) -> &str {
    uri.split(['?', '&']).find_map(|part| part.strip_prefix("secret=")).unwrap_or_default()
}

fn rfc3339(at: OffsetDateTime) -> String {
    at.format(&Rfc3339).unwrap_or_default()
}

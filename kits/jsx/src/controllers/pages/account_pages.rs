use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::auth::engine::plugins::two_factor::{self, TwoFactorStatus};
use housekey::auth::guards::is_confirmed;
use housekey::auth::{Device, Feature, api, events, offers, qr_svg};
use housekey::axum::extract::Query;
use housekey::prelude::*;
use serde::Deserialize;

use super::auth_pages::Refusal;
use super::moment::moment;
use super::{member_of, private, shortest_password};
use crate::controllers::auth::usernames::username_of;
use crate::controllers::settings::history::{SHOWN, what_happened};
use crate::controllers::settings::place::place;
use crate::controllers::settings::ways_in::ways_in;
use crate::views::pages::settings as pages;
use crate::views::pages::settings::{
    AccountRow, AccountSettings, AppearanceSettings, HistoryRow, PasskeyRow, PasskeySettings,
    PasswordSettings, ProfileSettings, SessionRow, SessionSettings, TwoFactorSettings, TwoFactorState,
};

/// What connecting an account left in the address.
#[derive(Deserialize)]
pub struct Connection {
    /// The id of the provider.
    connected: Option<String>,
}

/// `GET /settings/profile`
pub async fn profile(CurrentUser(user): CurrentUser) -> Result<View> {
    let pending_email = api()?.pending_email(&user.id).await.or_http_error()?;
    let username = username_of(&user).map(str::to_owned);
    Ok(private(view(pages::profile(&ProfileSettings { member: member_of(&user), username, pending_email }))))
}

/// `GET /settings/password`
pub async fn password(CurrentUser(user): CurrentUser) -> Result<View> {
    let props = PasswordSettings {
        member: member_of(&user),
        has_password: api()?.has_password(&user).await.or_http_error()?,
        min_password_length: shortest_password()?,
    };
    Ok(private(view(pages::password(&props))))
}

/// `GET /settings/two-factor`: the secret is on this page only while it is being set up, for who entered the password a
/// while ago, and in no cache.
pub async fn two_factor(CurrentUser(user): CurrentUser) -> Result<View> {
    let mut api = api()?;
    let state = match two_factor::status(&api, &user).await.or_http_error()? {
        TwoFactorStatus::Off => TwoFactorState::Off,
        TwoFactorStatus::Pending if !is_confirmed().await? => TwoFactorState::Off,
        TwoFactorStatus::Pending => {
            api.confirm_presence();
            let uri = two_factor::totp_uri(&mut api, None).await.or_http_error()?;
            TwoFactorState::Pending { qr_svg: qr_svg(&uri)?, key: secret_in(&uri).to_owned() }
        }
        TwoFactorStatus::On { codes_left } => {
            let recovery_codes = session().flashed("recovery_codes").unwrap_or_default();
            TwoFactorState::On { codes_left, recovery_codes }
        }
    };
    Ok(private(view(pages::two_factor(&TwoFactorSettings { member: member_of(&user), state }))))
}

/// `GET /settings/passkeys`
pub async fn passkeys(CurrentUser(user): CurrentUser) -> Result<View> {
    let mut api = api()?;
    let known = list_passkeys(&mut api).await.or_http_error()?;
    let ways = ways_in(&user).await?;
    let last_credential = known.len() == 1 && ways.are_passkeys_alone();
    let passkeys = known.into_iter().map(|passkey| PasskeyRow {
        provider: passkey.provider(),
        name: passkey.name.unwrap_or_else(|| t("A passkey")),
        synced: passkey.backed_up,
        added: passkey.created_at.map(moment).unwrap_or_default(),
        last_used: passkey.last_used_at.map(moment),
        id: passkey.id,
    });
    let props = PasskeySettings { member: member_of(&user), passkeys: passkeys.collect(), last_credential };
    Ok(private(view(pages::passkeys(&props))))
}

/// `GET /settings/passkeys/add`: whoever gets here may add one now.
pub async fn add_passkey() -> Result<Redirect> {
    Ok(redirect(&route("settings.passkeys")?).with("status", t("Thank you. You can add your passkey now.")))
}

/// `GET /settings/sessions`
pub async fn sessions(
    CurrentUser(user): CurrentUser,
    CurrentSession(current): CurrentSession,
) -> Result<View> {
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
            first_seen: moment(session.created_at),
            last_seen: moment(session.updated_at),
        }
    });
    let history = events::recent(&user.id, SHOWN).await?.into_iter().map(|event| HistoryRow {
        what: what_happened(&event),
        device: Device::of(event.user_agent.as_deref()).name,
        ip: place(event.address.as_deref()),
        at: moment(event.at),
    });
    Ok(private(view(pages::sessions(&SessionSettings {
        member: member_of(&user),
        sessions: rows.collect(),
        history: history.collect(),
    }))))
}

/// `GET /settings/appearance`
pub async fn appearance(CurrentUser(user): CurrentUser) -> View {
    private(view(pages::appearance(&AppearanceSettings { member: member_of(&user) })))
}

/// `GET /settings/account`: also where connecting an account ends, well or not.
pub async fn account(
    CurrentUser(user): CurrentUser,
    Query(connection): Query<Connection>,
    Query(refusal): Query<Refusal>,
) -> Result<View> {
    let ways = ways_in(&user).await?;
    // Anybody can write an address: what it says is said only if it is so.
    let connected =
        ways.accounts.iter().find(|account| Some(&account.provider) == connection.connected.as_ref());
    let passkeys = match offers(Feature::Passkeys) {
        true => Some(list_passkeys(&mut api()?).await.or_http_error()?.len()),
        false => None,
    };
    let accounts = ways.accounts.iter().map(|account| AccountRow {
        id: account.id.clone(),
        name: account.name.clone(),
        added: moment(account.added),
        removable: account.removable,
    });
    Ok(private(view(pages::account(&AccountSettings {
        member: member_of(&user),
        passwords: offers(Feature::Password),
        has_password: ways.has_password,
        passkeys,
        accounts: accounts.collect(),
        connected: connected.map(|account| account.name.clone()),
        refused: refusal.explained(),
        connectable: ways.connectable,
        deletable: offers(Feature::DeleteAccount),
    }))))
}

/// The secret in the address for an authenticator app.
fn secret_in(uri: &str) -> &str {
    uri.split(['?', '&']).find_map(|part| part.strip_prefix("secret=")).unwrap_or_default()
}

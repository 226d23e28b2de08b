use housekey::auth::engine::User;
use housekey::auth::engine::plugins::passkey::list_passkeys;
use housekey::auth::{Feature, SocialProvider, api, offers, social_providers};
use housekey::prelude::*;
use time::OffsetDateTime;

/// How somebody gets into their account, and how they could.
#[derive(Clone, Debug)]
pub struct WaysIn {
    pub has_password: bool,
    /// Whether a mail is a way in too: then there is always one.
    pub by_mail: bool,
    /// Accounts elsewhere that open this one, the oldest first.
    pub accounts: Vec<ConnectedAccount>,
    /// Providers of whom there is none yet.
    pub connectable: Vec<SocialProvider>,
}

impl WaysIn {
    /// Whether there is an account at the provider with this id.
    pub fn has(&self, provider: &str) -> bool {
        self.accounts.iter().any(|account| account.provider == provider)
    }

    /// Whether passkeys are the only ones.
    pub fn are_passkeys_alone(&self) -> bool {
        !self.has_password && !self.by_mail && self.accounts.is_empty()
    }
}

/// An account at a provider.
#[derive(Clone, Debug)]
pub struct ConnectedAccount {
    /// For taking it away.
    pub id: String,
    /// The id of the provider.
    pub provider: String,
    /// Its name for people.
    pub name: String,
    pub added: OffsetDateTime,
    /// Whether its owner could still get in without it.
    pub removable: bool,
}

/// How somebody gets in. An account at a provider that is not configured any more is listed, but opens nothing.
pub async fn ways_in(user: &User) -> Result<WaysIn> {
    let mut api = api()?;
    let has_password = api.has_password(user).await.or_http_error()?;
    let offered = social_providers();
    let connected = api.accounts().await.or_http_error()?.into_iter();
    let connected: Vec<_> = connected.filter(|account| account.provider_id != "credential").collect();

    let is_open = |provider: &str| offered.iter().any(|known| known.id == provider);
    let mut open = usize::from(has_password && offers(Feature::Password));
    if offers(Feature::Passkeys) {
        open += list_passkeys(&mut api).await.or_http_error()?.len();
    }
    open += connected.iter().filter(|account| is_open(&account.provider_id)).count();

    let accounts = connected.into_iter().map(|account| {
        let left = open - usize::from(is_open(&account.provider_id));
        let known = offered.iter().find(|known| known.id == account.provider_id);
        ConnectedAccount {
            name: known.map_or_else(|| account.provider_id.clone(), |known| known.name.clone()),
            id: account.id,
            provider: account.provider_id,
            added: account.created_at,
            removable: left > 0,
        }
    });
    let by_mail = offers(Feature::MagicLink) || offers(Feature::EmailCode);
    let mut ways = WaysIn { has_password, by_mail, accounts: accounts.collect(), connectable: Vec::new() };
    ways.connectable = offered.iter().filter(|known| !ways.has(&known.id)).cloned().collect();
    Ok(ways)
}

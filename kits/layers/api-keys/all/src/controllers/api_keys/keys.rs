use housekey::auth::engine::plugins::api_key::{ApiKey, KeyQuery, list};
use housekey::auth::{api, impersonated_by};
use housekey::prelude::*;
use serde::Serialize;
use time::OffsetDateTime;

/// How many keys one owner can make. Enough for everything that runs somewhere, and few enough to look through.
pub const MOST: usize = 50;

/// Whether a key works, and if not, why.
#[typescript]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum ApiKeyState {
    #[default]
    On,
    /// Its owner turned it off.
    Off,
    /// Its time is over.
    Expired,
}

impl ApiKeyState {
    pub fn of(key: &ApiKey) -> Self {
        let now = service::<Clock>().map_or_else(OffsetDateTime::now_utc, |clock| clock.now());
        match key.enabled {
            _ if key.has_expired(now) => Self::Expired,
            true => Self::On,
            false => Self::Off,
        }
    }
}

/// The keys of whoever is signed in, the newest first.
pub async fn mine() -> Result<Vec<ApiKey>> {
    let newest_first = KeyQuery { descending: true, ..default() };
    Ok(list(&mut api()?, &newest_first).await.or_http_error()?.api_keys)
}

/// Why whoever is there makes and changes no keys; `None` if they do. An admin who acts as somebody else does not: a key would
/// still be there when they are gone.
pub fn why_not() -> Option<String> {
    impersonated_by().map(|_| t("Nobody makes or changes keys in the name of somebody else."))
}

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use cookie::Cookie;
use housekey_base::SameSite;
use housekey_core::{AppConfig, Clock, Encrypter, Error, Paths, Result, Signer};
use tokio::sync::{Mutex, MutexGuard};

use crate::config::{SecureCookie, SessionConfig};
use crate::data::SessionData;
use crate::drivers::SessionDrivers;
use crate::store::{SessionId, SessionRecord, SessionStore};
use crate::ticket::{self, Ticket};

/// Opens and saves the sessions of an app.
pub struct SessionManager {
    store: Arc<dyn SessionStore>,
    config: SessionConfig,
    cookie_name: String,
    secure: bool,
    encrypter: Arc<Encrypter>,
    tickets: Signer,
    form_tokens: Signer,
    clock: Clock,
    /// Requests of this process that save the same session take turns; the store's compare-and-swap is left to
    /// settle what other processes do.
    turns: Box<[Mutex<()>]>,
    saves: AtomicU64,
    /// Held by the one sweep there is at a time: it may have millions of records to look at.
    sweep: Mutex<()>,
}

/// What a store knows about a session.
pub(crate) enum SessionLookup {
    /// Nothing, or a record that has expired (whose version a writer must name).
    Absent { version: Option<u64> },
    /// A living session.
    Alive { version: u64, data: SessionData },
    /// The tombstone of one that was ended.
    Ended { since: u64 },
}

const PURPOSE: &str = "session payload";
/// What the tokens of forms are signed for.
const FORM_TOKENS: &str = "csrf";

/// The first byte of a stored payload.
const PLAIN: u8 = b'p';
const ENCRYPTED: u8 = b's';

impl SessionManager {
    /// The manager an app is configured with.
    pub fn from_config(
        config: &SessionConfig,
        app: &AppConfig,
        paths: &Paths,
        drivers: &SessionDrivers,
        encrypter: Arc<Encrypter>,
        clock: Clock,
    ) -> Result<Self> {
        let store = drivers.open(config, paths)?;
        Self::new(store, config.clone(), app, encrypter, clock)
    }

    /// A manager over a store of one's own.
    pub fn new(
        store: Arc<dyn SessionStore>,
        config: SessionConfig,
        app: &AppConfig,
        encrypter: Arc<Encrypter>,
        clock: Clock,
    ) -> Result<Self> {
        let secure = match config.secure {
            SecureCookie::Auto => app.is_secure(),
            SecureCookie::Always => true,
            SecureCookie::Never => false,
        };
        if !secure && (config.same_site == SameSite::None || config.partitioned) {
            return Err(Error::internal(
                "config/session.rs: browsers take `same_site: None` and `partitioned` cookies over https only; \
                 set `secure: SecureCookie::Always` or an https APP_URL",
            ));
        }
        if config.lifetime == 0 {
            return Err(Error::internal("config/session.rs: `lifetime` must be at least one minute"));
        }
        let cookie_name = cookie_name(&config, app, secure)?;
        let turns = (0..64).map(|_| Mutex::new(())).collect();
        Ok(Self {
            store,
            config,
            cookie_name,
            secure,
            tickets: encrypter.signer(ticket::PURPOSE),
            form_tokens: encrypter.signer(FORM_TOKENS),
            encrypter,
            clock,
            turns,
            saves: AtomicU64::new(0),
            sweep: Mutex::new(()),
        })
    }

    /// The name of the cookie that carries the session.
    pub fn cookie_name(&self) -> &str {
        &self.cookie_name
    }

    /// Whether the app's cookies travel over https only.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    /// The name of the driver in use.
    pub fn driver(&self) -> &'static str {
        self.store.name()
    }

    /// Removes expired sessions and answers how many there were: the work of `session:gc`.
    pub async fn collect_garbage(&self) -> Result<u64> {
        self.store.collect_garbage(self.clock.unix()).await
    }

    /// What signs the cookies of sessions.
    pub(crate) fn tickets(&self) -> &Signer {
        &self.tickets
    }

    /// What makes the tokens of forms out of the ids of sessions.
    pub(crate) fn form_tokens(&self) -> &Signer {
        &self.form_tokens
    }

    /// Seconds without a visit after which a session is over.
    pub(crate) fn lifetime(&self) -> u64 {
        self.config.lifetime.saturating_mul(60)
    }

    /// Seconds after which a living session's record and cookie are prolonged, so that most requests write neither.
    pub(crate) fn prolong_after(&self) -> u64 {
        self.lifetime() / 20
    }

    pub(crate) async fn turn(&self, id: &SessionId) -> MutexGuard<'_, ()> {
        self.turns[usize::from(id.as_bytes()[15]) % self.turns.len()].lock().await
    }

    pub(crate) async fn read(&self, id: &SessionId, now: u64) -> Result<SessionLookup> {
        let Some(record) = self.store.read(id).await? else {
            return Ok(SessionLookup::Absent { version: None });
        };
        let SessionRecord { version, expires_at, payload } = record;
        if expires_at <= now {
            return Ok(SessionLookup::Absent { version: Some(version) });
        }
        let mut data = self.decode(&payload).unwrap_or_else(|| {
            tracing::warn!(session = ?id, driver = self.driver(), "a session cannot be read; it starts empty");
            SessionData::default()
        });
        if let Some(since) = data.ended_at {
            return Ok(SessionLookup::Ended { since });
        }
        data.drop_stale_flash(now);
        Ok(SessionLookup::Alive { version, data })
    }

    pub(crate) async fn write(
        self: &Arc<Self>,
        id: &SessionId,
        expected: Option<u64>,
        data: &SessionData,
        now: u64,
    ) -> Result<bool> {
        let record = SessionRecord::new(self.encode(data)?, now.saturating_add(self.seconds_for(data)));
        let written = self.store.swap(id, expected, record).await?;
        if written {
            self.sweep_now_and_then();
        }
        Ok(written)
    }

    /// How long a record is kept. One that was emptied (its flash was read) has nothing worth keeping for long, but
    /// it must outlive requests under way: to them a record that is gone is a session that was ended.
    fn seconds_for(&self, data: &SessionData) -> u64 {
        const EMPTY: u64 = 10 * 60;
        let is_empty = data.is_empty() && data.ended_at.is_none();
        if is_empty { EMPTY.min(self.lifetime()) } else { self.lifetime() }
    }

    fn encode(&self, data: &SessionData) -> Result<Vec<u8>> {
        let json = serde_json::to_vec(data)?;
        let (mark, mut body) = if self.config.encrypt {
            (ENCRYPTED, self.encrypter.encrypt(&json, PURPOSE).into_bytes())
        } else {
            (PLAIN, json)
        };
        body.insert(0, mark);
        Ok(body)
    }

    /// Reads both kinds, so that switching encryption on or off signs nobody out.
    fn decode(&self, payload: &[u8]) -> Option<SessionData> {
        let (mark, body) = payload.split_first()?;
        match *mark {
            PLAIN => serde_json::from_slice(body).ok(),
            ENCRYPTED => {
                let sealed = std::str::from_utf8(body).ok()?;
                serde_json::from_slice(&self.encrypter.decrypt(sealed, PURPOSE).ok()?).ok()
            }
            _ => None,
        }
    }

    fn sweep_now_and_then(self: &Arc<Self>) {
        let saves = self.saves.fetch_add(1, Ordering::Relaxed) + 1;
        if self.config.sweep_every == 0 || !saves.is_multiple_of(self.config.sweep_every) {
            return;
        }
        let this = self.clone();
        tokio::spawn(async move {
            let Ok(_only_one) = this.sweep.try_lock() else { return };
            match this.collect_garbage().await {
                Ok(removed) => tracing::debug!(removed, "expired sessions were swept away"),
                Err(error) => tracing::warn!(%error, "expired sessions could not be swept away"),
            }
        });
    }

    pub(crate) fn cookie(&self, ticket: &Ticket) -> Cookie<'static> {
        let mut cookie = self.bare_cookie(ticket.encode(&self.tickets));
        if !self.config.expire_on_close {
            cookie.set_max_age(cookie::time::Duration::seconds(
                i64::try_from(self.lifetime()).unwrap_or(i64::MAX),
            ));
        }
        cookie
    }

    /// Tells the browser to drop the cookie.
    pub(crate) fn no_cookie(&self) -> Cookie<'static> {
        let mut cookie = self.bare_cookie(String::new());
        cookie.make_removal();
        cookie
    }

    fn bare_cookie(&self, value: String) -> Cookie<'static> {
        let mut cookie = Cookie::new(self.cookie_name.clone(), value);
        cookie.set_path(self.config.path.clone());
        if let Some(domain) = &self.config.domain {
            cookie.set_domain(domain.clone());
        }
        cookie.set_http_only(self.config.http_only);
        cookie.set_secure(self.secure);
        cookie.set_same_site(match self.config.same_site {
            SameSite::Lax => cookie::SameSite::Lax,
            SameSite::Strict => cookie::SameSite::Strict,
            SameSite::None => cookie::SameSite::None,
        });
        if self.config.partitioned {
            cookie.set_partitioned(true);
        }
        cookie
    }
}

impl fmt::Debug for SessionManager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SessionManager")
            .field("driver", &self.driver())
            .field("cookie", &self.cookie_name)
            .finish_non_exhaustive()
    }
}

/// In production over https the name gets the `__Host-` prefix wherever the browser's terms for it are met: then
/// neither a subdomain nor plain http can plant a session.
fn cookie_name(config: &SessionConfig, app: &AppConfig, secure: bool) -> Result<String> {
    let name = config.cookie.clone().unwrap_or_else(|| format!("{}_session", slug(&app.name)));
    if !housekey_base::cookies::is_cookie_name(&name) {
        return Err(Error::internal(format!(
            "config/session.rs: `{name}` cannot be the name of a cookie; use letters, digits, `-` and `_`"
        )));
    }
    let may_be_host_only = secure && config.path == "/" && config.domain.is_none();
    let has_prefix = name.starts_with("__Host-") || name.starts_with("__Secure-");
    let prefix = if app.env.is_production() && may_be_host_only && !has_prefix { "__Host-" } else { "" };
    Ok(format!("{prefix}{name}"))
}

fn slug(name: &str) -> String {
    let slug: String = name
        .chars()
        .map(|char| if char.is_ascii_alphanumeric() { char.to_ascii_lowercase() } else { '_' })
        .collect();
    let slug = slug.trim_matches('_');
    if slug.is_empty() { "app".into() } else { slug.into() }
}

#[cfg(test)]
mod tests {
    use housekey_core::{AppKey, Environment};

    use super::*;
    use crate::MemorySessions;

    fn manager(config: SessionConfig, env: Environment, url: &str) -> Result<SessionManager> {
        let app = AppConfig { name: "My Shop".into(), env, url: url.into(), ..AppConfig::default() };
        let encrypter = Arc::new(Encrypter::new(AppKey::generate()));
        let store = Arc::new(MemorySessions::new());
        SessionManager::new(store, config, &app, encrypter, Clock::frozen_now())
    }

    #[test]
    fn the_cookie_is_bound_to_its_host_in_production_over_https() {
        let name = |config, env, url| manager(config, env, url).unwrap().cookie_name().to_owned();
        let plain = SessionConfig::default;
        let (live, dev) = (Environment::Production, Environment::Development);
        assert_eq!(name(plain(), live.clone(), "https://shop.test"), "__Host-my_shop_session");
        assert_eq!(name(plain(), live.clone(), "http://shop.test"), "my_shop_session");
        assert_eq!(name(plain(), dev, "https://shop.test"), "my_shop_session");
        let wide = SessionConfig { domain: Some("shop.test".into()), ..plain() };
        assert_eq!(name(wide, live, "https://shop.test"), "my_shop_session");
    }

    #[test]
    fn settings_that_browsers_would_ignore_are_refused_at_boot() {
        let cross_site = SessionConfig { same_site: SameSite::None, ..SessionConfig::default() };
        assert!(manager(cross_site.clone(), Environment::Production, "http://shop.test").is_err());
        assert!(manager(cross_site, Environment::Production, "https://shop.test").is_ok());
        let named = SessionConfig { cookie: Some("a b".into()), ..SessionConfig::default() };
        assert!(manager(named, Environment::Production, "https://shop.test").is_err());
    }
}

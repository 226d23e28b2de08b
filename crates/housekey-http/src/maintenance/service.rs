use std::fmt;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Instant;

use data_encoding::BASE64URL_NOPAD;
use housekey_cache::Cache;
use housekey_core::{Encrypter, Error, Paths, Result, random};
use tokio::sync::OnceCell;

use super::store::{Notice, Store};
use super::{Downtime, MaintenanceConfig};

/// Whether the app is down, and the switch for it: a service of every application.
pub struct Maintenance {
    store: Store,
    encrypter: Arc<Encrypter>,
    pub(super) except: Vec<String>,
    check_every: u64,
    started: Instant,
    /// The first request waits for the first look; later ones take what was seen last.
    looked: OnceCell<()>,
    /// When to look again, in milliseconds since the start.
    next_look: AtomicU64,
    is_down: AtomicBool,
    seen: RwLock<Option<Arc<Notice>>>,
}

const SECRET: &str = "maintenance secret";
const SHORTEST_SECRET: usize = 8;

impl Maintenance {
    pub(crate) fn from_config(
        config: &MaintenanceConfig,
        paths: &Paths,
        cache: &Cache,
        encrypter: Arc<Encrypter>,
    ) -> Result<Self> {
        let store = match config.store.as_str() {
            "file" => Store::File(paths.framework().join("maintenance.json")),
            "cache" if cache.store_name() == "memory" => {
                return Err(Error::internal(
                    "MAINTENANCE_STORE is `cache` and the cache is in this process's memory, where `down` would reach \
                     nobody: choose another CACHE_STORE, or `file`",
                ));
            }
            "cache" => Store::Cache(cache.clone()),
            other => {
                return Err(Error::internal(format!(
                    "there is no maintenance store `{other}`; `store` in config/maintenance.rs (MAINTENANCE_STORE) can be \
                     file or cache"
                )));
            }
        };
        Ok(Self {
            store,
            encrypter,
            except: config.except.clone(),
            check_every: config.check_every,
            started: Instant::now(),
            looked: OnceCell::new(),
            next_look: AtomicU64::new(0),
            is_down: AtomicBool::new(false),
            seen: RwLock::default(),
        })
    }

    /// Takes the app down, in the place of an earlier downtime.
    pub async fn down(&self, downtime: Downtime) -> Result<()> {
        let Downtime { retry_after, secret, except, message } = downtime;
        if secret.as_ref().is_some_and(|secret| secret.len() < SHORTEST_SECRET) {
            return Err(Error::bad_request(format!(
                "The secret has to have {SHORTEST_SECRET} characters at least: anybody can try."
            )));
        }
        let sign = |secret: &str| BASE64URL_NOPAD.encode(&self.encrypter.sign(secret.as_bytes(), SECRET));
        let notice = Notice {
            id: random::token(),
            retry_after: retry_after.as_secs().max(1),
            secret: secret.map(|secret| sign(secret.reveal())),
            except,
            message,
        };
        self.store.write(&notice).await?;
        self.note(Some(notice));
        Ok(())
    }

    /// Brings the app back, and says whether it was down.
    pub async fn up(&self) -> Result<bool> {
        let was_down = self.store.remove().await?;
        self.note(None);
        Ok(was_down)
    }

    /// Whether the app is down, asked of the store itself.
    pub async fn is_down(&self) -> Result<bool> {
        Ok(self.store.read().await?.is_some())
    }

    /// The downtime as far as this process knows.
    pub(super) async fn notice(&self) -> Option<Arc<Notice>> {
        self.looked.get_or_init(|| self.look()).await;
        let now = u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let due = self.next_look.load(Ordering::Relaxed);
        // One request looks; those beside it do not wait for it.
        let is_ours = now >= due
            && self
                .next_look
                .compare_exchange(
                    due,
                    now.saturating_add(self.check_every),
                    Ordering::Relaxed,
                    Ordering::Relaxed,
                )
                .is_ok();
        if is_ours {
            self.look().await;
        }
        if !self.is_down.load(Ordering::Acquire) {
            return None;
        }
        self.seen.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    pub(super) fn is_secret(&self, notice: &Notice, word: &str) -> bool {
        let signature = notice.secret.as_ref().and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
        signature.is_some_and(|signature| self.encrypter.verify(word.as_bytes(), &signature, SECRET))
    }

    async fn look(&self) {
        match self.store.read().await {
            Ok(notice) => self.note(notice),
            Err(error) => {
                tracing::warn!(%error, "whether the app is in maintenance cannot be read; it stays as it was");
            }
        }
    }

    fn note(&self, notice: Option<Notice>) {
        let mut seen = self.seen.write().unwrap_or_else(PoisonError::into_inner);
        self.is_down.store(notice.is_some(), Ordering::Release);
        if seen.as_deref() != notice.as_ref() {
            *seen = notice.map(Arc::new);
        }
    }
}

impl fmt::Debug for Maintenance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Maintenance").field("store", &self.store).finish_non_exhaustive()
    }
}

//! The keys: the one that signs is kept in memory, the others are in the table.

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use time::{Duration, OffsetDateTime};

use super::keys::{SigningKey, generate};
use super::row::{KeyRow, changed_too_often, ended, unopened};
use super::{JwtOptions, options};
use crate::jwt::Verifier;
use crate::storage::{Comparison, Condition, Filter};
use crate::{Api, ApiError, Commit, OptimisticLock, Result, Value as Field};

/// For as long, nobody looks whether another process made a newer key. The old one is published long after.
const REREAD: Duration = Duration::seconds(60);
/// At most this often do we look because a token names a key that we do not know: anybody can make up a name.
const BETWEEN_LOOKS: Duration = Duration::seconds(10);
/// How often a key is made because someone else changed the table at the same time.
const TRIES: usize = 8;
/// What only one process may do at a time.
const LOCK: &str = "jwt-signing-key";

/// What an engine remembers of its keys.
#[derive(Default)]
pub(super) struct Keyring {
    kept: Mutex<Option<Arc<CurrentKey>>>,
    /// Held by whoever reads or makes a key: the others find what it brought.
    loading: tokio::sync::Mutex<()>,
}

/// What the table held when it was last read.
pub(super) struct CurrentKey {
    pub(super) kid: String,
    pub(super) key: SigningKey,
    ends_at: Option<OffsetDateTime>,
    /// Checks tokens of this engine.
    pub(super) verifier: Verifier,
    read_at: OffsetDateTime,
}

impl Keyring {
    fn kept(&self) -> Option<Arc<CurrentKey>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn keep(&self, kept: CurrentKey) -> Arc<CurrentKey> {
        let kept = Arc::new(kept);
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::clone(&kept));
        kept
    }

    fn forget(&self) {
        *self.kept.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl CurrentKey {
    fn signs(&self, now: OffsetDateTime) -> bool {
        self.ends_at.is_none_or(|end| now < end)
    }

    fn is_younger(&self, than: Duration, now: OffsetDateTime) -> bool {
        now - self.read_at < than
    }
}

/// The public keys as they are published: `{"keys": […]}`. Read from the storage, so that what another process made is
/// there at once. The first call makes the first key.
pub async fn key_set(api: &Api) -> Result<Value> {
    let options = options(api)?;
    let mut rows = KeyRow::all(api).await?;
    if rows.is_empty() {
        // Not what is kept: somebody may have emptied the table.
        let keyring = keyring(api)?;
        let _turn = keyring.loading.lock().await;
        load(api, &keyring).await?;
        rows = KeyRow::all(api).await?;
    }
    Ok(published(&rows, &options, api.clock().now()))
}

/// Makes a new key now. The one before signs nothing more and is published for the grace period; who must not wait for that, since
/// the key was stolen, deletes its row. Other processes notice within a minute.
pub async fn rotate(api: &Api) -> Result<()> {
    let options = options(api)?;
    let keyring = keyring(api)?;
    let _turn = keyring.loading.lock().await;
    let lock = OptimisticLock::read(api, LOCK).await?;
    let now = api.clock().now();
    let mut changes = api.changes();
    let living = [
        Condition::new("expiresAt", Comparison::Greater, now),
        Condition::new("expiresAt", Comparison::Equal, Field::Null),
    ];
    changes.update("jwks", Filter::all().and_any(living), ended(now)).await?;
    let key = generate(options.algorithm).await?;
    changes.create("jwks", KeyRow::of_new(api, &options, &key)?).await?;
    lock.write_in(&mut changes).await?;
    // Lost means that somebody else made one at this moment: that is as new.
    let _ = changes.commit().await?;
    keyring.forget();
    Ok(())
}

/// The key that signs now, and what checks its tokens. Without a storage being asked, mostly.
pub(super) async fn current(api: &Api) -> Result<Arc<CurrentKey>> {
    let keyring = keyring(api)?;
    let now = api.clock().now();
    if let Some(kept) = keyring.kept().filter(|kept| kept.signs(now)) {
        if kept.is_younger(REREAD, now) {
            return Ok(kept);
        }
        // One looks; whoever comes meanwhile goes on with the key that is known.
        let Ok(_turn) = keyring.loading.try_lock() else { return Ok(kept) };
        return match load(api, &keyring).await {
            Ok(newer) => Ok(newer),
            Err(error) => {
                tracing::warn!(%error, "the keys that sign tokens could not be read again; the known one goes on");
                Ok(kept)
            }
        };
    }
    let _turn = keyring.loading.lock().await;
    match keyring.kept().filter(|kept| kept.signs(now) && kept.is_younger(REREAD, now)) {
        Some(kept) => Ok(kept),
        None => load(api, &keyring).await,
    }
}

/// The keys as they are now, because a token names one that is not known. `None` when somebody looked a moment ago.
pub(super) async fn newer(api: &Api) -> Result<Option<Arc<CurrentKey>>> {
    let keyring = keyring(api)?;
    let now = api.clock().now();
    let _turn = keyring.loading.lock().await;
    if keyring.kept().is_some_and(|kept| kept.is_younger(BETWEEN_LOOKS, now)) {
        return Ok(None);
    }
    load(api, &keyring).await.map(Some)
}

fn keyring(api: &Api) -> Result<Arc<Keyring>> {
    let keyring = api.plugin_state();
    keyring.ok_or_else(|| {
        ApiError::internal("the jwt plugin was called", "it is not among the engine's plugins")
    })
}

/// Reads the keys, and makes one if none of them signs.
async fn load(api: &Api, keyring: &Keyring) -> Result<Arc<CurrentKey>> {
    let options = options(api)?;
    let mut rows = KeyRow::all(api).await?;
    for _ in 0..TRIES {
        if let Some(kept) = choose(api, &options, &rows) {
            return Ok(keyring.keep(kept));
        }
        // Two who see that there is none both come here; the lock lets one of them.
        let lock = OptimisticLock::read(api, LOCK).await?;
        rows = KeyRow::all(api).await?;
        if let Some(kept) = choose(api, &options, &rows) {
            return Ok(keyring.keep(kept));
        }
        let now = api.clock().now();
        rows.iter().filter(|row| row.signs(&rows, &options, now)).for_each(unopened);
        let key = generate(options.algorithm).await?;
        let mut changes = api.changes();
        changes.create("jwks", KeyRow::of_new(api, &options, &key)?).await?;
        lock.write_in(&mut changes).await?;
        if changes.commit().await? == Commit::Done {
            tracing::info!(algorithm = %options.algorithm, "a new key signs tokens from now on");
        }
        rows = KeyRow::all(api).await?;
    }
    Err(changed_too_often())
}

/// The newest key that signs and that this engine can open.
fn choose(api: &Api, options: &JwtOptions, rows: &[KeyRow]) -> Option<CurrentKey> {
    let now = api.clock().now();
    let mut signing = rows.iter().rev().filter(|row| row.signs(rows, options, now));
    let (row, key) = signing.find_map(|row| Some((row, row.open(api, options.algorithm)?)))?;
    Some(CurrentKey {
        kid: row.id.clone(),
        key,
        ends_at: row.ends_at(options),
        verifier: verifier(api, options, &published(rows, options, now)),
        read_at: now,
    })
}

fn published(rows: &[KeyRow], options: &JwtOptions, now: OffsetDateTime) -> Value {
    let living = rows.iter().filter(|row| row.is_published(rows, options, now));
    json!({ "keys": living.filter_map(|row| row.published(options)).collect::<Vec<_>>() })
}

fn verifier(api: &Api, options: &JwtOptions, keys: &Value) -> Verifier {
    let issuer = options.issuer.as_deref().unwrap_or(api.origin());
    let audience: Vec<_> = match options.audience.as_slice() {
        [] => vec![api.origin().to_owned()],
        several => several.to_vec(),
    };
    Verifier::new(issuer).audience(audience).keys(keys).clock(api.clock().clone())
}

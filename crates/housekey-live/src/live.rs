use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use housekey_core::{Clock, Encrypter, Error, Result, random};
use housekey_database::{Database, Databases};
use serde::{Deserialize, Serialize};
use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use crate::broadcasts::Broadcasts;
use crate::bus::{Bus, BusSubscription};
use crate::channels::ChannelTable;
use crate::config::LiveConfig;
use crate::hub::Hub;
use crate::message::{BusMessage, Message};

/// What the seal on the bus is for.
const PURPOSE: &str = "housekey-live";

/// How long a message may be on its way. One that comes later was kept by somebody and said again.
const LONGEST_WAY: i64 = 300;

/// How long a new stream waits for the bus.
const BUS_TIMEOUT: Duration = Duration::from_secs(5);

/// How long to wait at most before a bus that is away is tried again.
const LONGEST_TROUBLE: Duration = Duration::from_secs(10);

/// Tells things to everybody who listens: a service of the application, found by [`live`](crate::live()). Cheap to clone.
#[derive(Clone)]
pub struct Live(Arc<Inner>);

pub(crate) struct Inner {
    pub(crate) config: Arc<LiveConfig>,
    pub(crate) channels: ChannelTable,
    pub(crate) bus: Bus,
    pub(crate) hub: Arc<Hub>,
    pub(crate) encrypter: Arc<Encrypter>,
    pub(crate) clock: Clock,
    /// Whose transactions count: the default connection's, if there is one.
    pub(crate) databases: Option<Arc<Databases>>,
    pub(crate) is_recording: AtomicBool,
    pub(crate) is_quiet: AtomicBool,
    pub(crate) recorded: Broadcasts,
    pub(crate) listening: AtomicBool,
    /// Whether the bus is heard.
    pub(crate) hears: watch::Sender<bool>,
}

/// What goes over the bus, sealed.
#[derive(Serialize, Deserialize)]
struct Letter {
    /// Seconds since 1970.
    at: i64,
    said: BusMessage,
}

impl Live {
    pub(crate) fn new(inner: Inner) -> Self {
        Self(Arc::new(inner))
    }

    /// Says something in a channel: see [`broadcast`](crate::broadcast).
    pub async fn broadcast<T: Serialize + ?Sized>(&self, channel: &str, payload: &T) -> Result<()> {
        let database = self.database()?;
        self.broadcast_on(database.as_ref(), channel, payload).await
    }

    /// Says something in a channel when this transaction is committed: see [`broadcast_in`](crate::broadcast_in).
    pub async fn broadcast_in<T: Serialize + ?Sized>(
        &self,
        transaction: &Database,
        channel: &str,
        payload: &T,
    ) -> Result<()> {
        self.broadcast_on(Some(transaction), channel, payload).await
    }

    /// Makes every stream of a person look again what they may hear: after a right was taken from them that their account knows nothing
    /// of. What they may not hear any more ends at once; inside a transaction, once it is committed: before that nobody sees that
    /// the right is gone.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// use housekey_live::live;
    ///
    /// async fn take_back(reader_id: &str) -> Result<()> {
    ///     // … the loan is over
    ///     live()?.recheck(reader_id).await
    /// }
    /// # drop(take_back("1"));
    /// ```
    pub async fn recheck(&self, user_id: &str) -> Result<()> {
        let (database, live, user) = (self.database()?, self.clone(), user_id.to_owned());
        after_commit(database.as_ref(), "a recheck", async move { live.recheck_now(user).await }).await
    }

    /// The same for who knows that what has changed is committed.
    pub(crate) async fn recheck_now(&self, user: String) -> Result<()> {
        self.send(BusMessage::Recheck { user }).await
    }

    pub(crate) fn config(&self) -> &LiveConfig {
        &self.0.config
    }

    pub(crate) fn channels(&self) -> &ChannelTable {
        &self.0.channels
    }

    pub(crate) fn hub(&self) -> &Arc<Hub> {
        &self.0.hub
    }

    pub(crate) fn recorded(&self) -> &Broadcasts {
        &self.0.recorded
    }

    pub(crate) fn keep_quiet(&self) {
        self.0.is_recording.store(true, Ordering::Release);
        self.0.is_quiet.store(true, Ordering::Release);
    }

    async fn broadcast_on<T: Serialize + ?Sized>(
        &self,
        db: Option<&Database>,
        channel: &str,
        payload: &T,
    ) -> Result<()> {
        self.0.channels.expect(channel)?;
        let data = serde_json::to_string(payload)?;
        let most = self.0.config.max_message;
        if data.len() > most {
            return Err(Error::internal(format!(
                "a message for `{channel}` has {} bytes, and {most} are allowed (max_message in config/live.rs): say what \
                 changed, and let clients fetch the rest",
                data.len()
            )));
        }
        let (live, name) = (self.clone(), channel.to_owned());
        after_commit(db, channel, async move { live.say(&name, data).await }).await
    }

    /// Whose transactions are waited for.
    fn database(&self) -> Result<Option<Database>> {
        self.0.databases.as_ref().map(|databases| databases.connection(None)).transpose()
    }

    async fn say(&self, channel: &str, data: String) -> Result<()> {
        if self.0.is_recording.load(Ordering::Acquire) {
            self.0.recorded.add(channel, serde_json::from_str(&data)?);
        }
        if self.0.is_quiet.load(Ordering::Acquire) {
            return Ok(());
        }
        self.send(BusMessage::Message { id: random::alphanumeric(16), channel: channel.to_owned(), data })
            .await
    }

    async fn send(&self, said: BusMessage) -> Result<()> {
        if matches!(self.0.bus, Bus::Process) {
            self.0.hear(said);
            return Ok(());
        }
        let letter = Letter { at: self.0.clock.now().unix_timestamp(), said };
        self.0.bus.publish(self.0.encrypter.encrypt_value(&letter, PURPOSE)?).await
    }

    /// Makes sure that what other processes say is heard here. It begins with the first stream: a worker that has none
    /// hears nothing.
    pub(crate) async fn listen(&self) -> Result<()> {
        if matches!(self.0.bus, Bus::Process) {
            return Ok(());
        }
        if !self.0.listening.swap(true, Ordering::AcqRel) {
            tokio::spawn(keep_listening(Arc::downgrade(&self.0)));
        }
        let mut hears = self.0.hears.subscribe();
        match timeout(BUS_TIMEOUT, hears.wait_for(|hears| *hears)).await {
            Ok(Ok(_)) => Ok(()),
            _ => Err(Error::unavailable(Duration::from_secs(5))
                .context("nothing carries live messages between processes at the moment; the log says why")),
        }
    }
}

/// Says something at once, or when the transaction that is open is committed. Then an error is for the log alone: nobody waits for it.
async fn after_commit(
    db: Option<&Database>,
    what: &str,
    saying: impl Future<Output = Result<()>> + Send + 'static,
) -> Result<()> {
    let Some(db) = db.filter(|db| db.current().in_transaction()) else { return saying.await };
    let what = what.to_owned();
    db.after_commit(async move {
        if let Err(error) = saying.await {
            tracing::error!(what, %error, "what was committed could not be told live");
        }
    })
    .await;
    Ok(())
}

impl Inner {
    fn hear(&self, said: BusMessage) {
        match said {
            BusMessage::Message { id, channel, data } => self.hub.deliver(Message::new(id, channel, &data)),
            BusMessage::Recheck { user } => self.hub.recheck(&user),
        }
    }

    /// Opens what came over the bus. Anybody could have put it there.
    fn open(&self, sealed: &str) -> Option<BusMessage> {
        let letter = self.encrypter.decrypt_value::<Letter>(sealed, PURPOSE).ok()?;
        let age = self.clock.now().unix_timestamp() - letter.at;
        (age.abs() <= LONGEST_WAY).then_some(letter.said)
    }
}

/// Hears the bus for as long as the application is there.
async fn keep_listening(live: Weak<Inner>) {
    let (mut trouble, mut has_heard) = (Duration::ZERO, false);
    loop {
        let Some(bus) = live.upgrade().map(|live| live.bus.clone()) else { return };
        let lost = match bus.listen().await {
            Ok(None) => return,
            Ok(Some(mut subscription)) => {
                let Some(strong) = live.upgrade() else { return };
                // Only now: whoever fetches everything again after this hears of every change that follows.
                if has_heard {
                    strong.hub.missed_something();
                }
                strong.hears.send_replace(true);
                drop(strong);
                (trouble, has_heard) = (Duration::ZERO, true);
                let Some(lost) = hear(&live, &mut subscription).await else { return };
                lost
            }
            Err(error) => error,
        };
        let Some(strong) = live.upgrade() else { return };
        strong.hears.send_replace(false);
        drop(strong);
        trouble = (trouble * 2).clamp(Duration::from_millis(200), LONGEST_TROUBLE);
        tracing::warn!(error = %lost, "live messages of other processes are not heard; it is tried again in {trouble:?}");
        sleep(trouble).await;
    }
}

/// Hears until the bus is lost, and says why; `None` when the application is gone.
async fn hear(live: &Weak<Inner>, subscription: &mut BusSubscription) -> Option<Error> {
    loop {
        let sealed = match subscription.next().await {
            Ok(sealed) => sealed,
            Err(lost) => return Some(lost),
        };
        let live = live.upgrade()?;
        match live.open(&sealed) {
            Some(said) => live.hear(said),
            None => tracing::warn!(
                "something came over the bus of live messages that is not from this app, or too old: do all processes have the \
                 same APP_KEY and the same time?"
            ),
        }
    }
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Live").field("bus", &self.0.bus).finish_non_exhaustive()
    }
}

//! What carries messages between processes. A driver knows nothing of channels and listeners: text goes in at one process and comes
//! out at all of them.

mod pieces;

use std::time::Duration;

use housekey_core::Result;
use housekey_database::{Database, Notifications};
#[cfg(feature = "redis")]
use housekey_redis::{Redis, Subscription, client::cmd};
use tokio::time::sleep;

use pieces::{Pieces, cut};

/// How often a carrier that is silent is asked whether it is still there.
const CHECK: Duration = Duration::from_secs(15);

#[derive(Clone, Debug)]
pub(crate) enum Bus {
    /// Nobody else is there.
    Process,
    #[cfg(feature = "redis")]
    Redis {
        redis: Redis,
        channel: String,
    },
    Postgres {
        database: Database,
        channel: String,
    },
}

impl Bus {
    /// Tells every process, this one too. Not for [`Bus::Process`].
    pub(crate) async fn publish(&self, text: String) -> Result<()> {
        match self {
            Self::Process => Ok(()),
            #[cfg(feature = "redis")]
            Self::Redis { redis, channel } => redis.command(cmd("PUBLISH").arg(channel).arg(text)).await,
            Self::Postgres { database, channel } => database.notify(channel, cut(&text)?).await,
        }
    }

    /// Listens; `None` for [`Bus::Process`].
    pub(crate) async fn listen(&self) -> Result<Option<BusSubscription>> {
        Ok(match self {
            Self::Process => None,
            #[cfg(feature = "redis")]
            Self::Redis { redis, channel } => Some(BusSubscription::Redis(redis.subscribe(channel).await?)),
            Self::Postgres { database, channel } => {
                Some(BusSubscription::Postgres(database.listen(channel).await?, Pieces::default()))
            }
        })
    }
}

/// What comes out.
pub(crate) enum BusSubscription {
    #[cfg(feature = "redis")]
    Redis(Subscription),
    Postgres(Notifications, Pieces),
}

impl BusSubscription {
    /// Waits for what is said next. An error means that something may have been missed.
    pub(crate) async fn next(&mut self) -> Result<String> {
        loop {
            tokio::select! {
                heard = self.hear() => if let Some(text) = heard? { return Ok(text) },
                () = sleep(CHECK) => self.check().await?,
            }
        }
    }

    async fn hear(&mut self) -> Result<Option<String>> {
        match self {
            // What is not text is not from us.
            #[cfg(feature = "redis")]
            Self::Redis(subscription) => Ok(String::from_utf8(subscription.next().await?).ok()),
            Self::Postgres(notifications, pieces) => Ok(pieces.join(&notifications.next().await?)),
        }
    }

    async fn check(&mut self) -> Result<()> {
        match self {
            #[cfg(feature = "redis")]
            Self::Redis(subscription) => subscription.check().await,
            Self::Postgres(notifications, _) => notifications.check().await,
        }
    }
}

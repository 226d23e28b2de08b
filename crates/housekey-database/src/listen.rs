//! PostgreSQL's `LISTEN` and `NOTIFY`: short words between processes that share a database.

use std::fmt;

use housekey_core::{Error, Result};

#[cfg(feature = "postgres")]
use crate::engine::postgres::Listener;
use crate::{Database, Driver, Value};

/// The longest word that PostgreSQL carries, in bytes.
pub const LONGEST_NOTIFICATION: usize = 7_999;

impl Database {
    /// Tells everybody who [listens](Self::listen) on a channel, in this order; inside a transaction when it is committed. PostgreSQL
    /// only. Everybody who may connect to the database hears it, and may say as much.
    ///
    /// ```no_run
    /// # async fn example(db: housekey_database::Database) -> housekey_core::Result<()> {
    /// db.notify("kitchen", ["the oven is hot"]).await?;
    /// # Ok(()) }
    /// ```
    pub async fn notify<T: Into<String>>(
        &self,
        channel: &str,
        words: impl IntoIterator<Item = T>,
    ) -> Result<()> {
        self.expect_postgres()?;
        let mut values = vec![Value::from(channel)];
        values.extend(words.into_iter().map(|word| Value::from(word.into())));
        let places: Vec<String> = (2..=values.len()).map(|place| format!("(${place}::text)")).collect();
        if places.is_empty() {
            return Ok(());
        }
        let sql = format!("select pg_notify($1, word) from (values {}) as said (word)", places.join(", "));
        self.raw(&sql, values).await.map(drop)
    }

    /// Listens on a channel, on a connection of its own beside the pool. PostgreSQL only.
    pub async fn listen(&self, channel: &str) -> Result<Notifications> {
        self.expect_postgres()?;
        // What must be done before the first use is done by using it.
        self.ping().await?;
        #[cfg(feature = "postgres")]
        {
            let listener = Listener::connect(&self.inner.config, channel).await;
            let listener = listener.map_err(|error| self.inner.target.explain(&error))?;
            Ok(Notifications { database: self.clone(), listener })
        }
        #[cfg(not(feature = "postgres"))]
        {
            let _ = channel;
            Err(Error::internal("PostgreSQL is not compiled in"))
        }
    }

    fn expect_postgres(&self) -> Result<()> {
        match self.driver() {
            Driver::Postgres => Ok(()),
            other => Err(Error::internal(format!(
                "connection `{}` is {other}, and only PostgreSQL has LISTEN and NOTIFY",
                self.name()
            ))),
        }
    }
}

/// What is sent with `NOTIFY` on one channel.
pub struct Notifications {
    database: Database,
    #[cfg(feature = "postgres")]
    listener: Listener,
}

impl Notifications {
    /// Waits for what is said next. An error means that the connection is gone, and with it what is said from now on.
    pub async fn next(&mut self) -> Result<String> {
        #[cfg(feature = "postgres")]
        {
            let heard = self.listener.next().await;
            heard.map_err(|error| self.database.inner.target.explain(&error).into())
        }
        #[cfg(not(feature = "postgres"))]
        Err(Error::internal("PostgreSQL is not compiled in"))
    }

    /// Whether the server is still there. A connection that broke without a word is silent for ever otherwise.
    pub async fn check(&mut self) -> Result<()> {
        #[cfg(feature = "postgres")]
        {
            let answer = self.listener.check().await;
            answer.map_err(|error| self.database.inner.target.explain(&error).into())
        }
        #[cfg(not(feature = "postgres"))]
        Err(Error::internal("PostgreSQL is not compiled in"))
    }
}

impl fmt::Debug for Notifications {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Notifications").field(&self.database).finish()
    }
}

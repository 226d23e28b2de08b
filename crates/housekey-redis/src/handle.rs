use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use futures_util::StreamExt;
use housekey_core::{Error, Result, Secret};
use redis::aio::{ConnectionManager, ConnectionManagerConfig, PubSubSink, PubSubStream};
use redis::{ErrorKind, FromRedisValue, RedisError, RetryMethod, ScriptInvocation, ServerErrorKind};
use tokio::time::timeout;

use crate::RedisConfig;

/// A Redis server. Cheap to clone; connected when it is first used, and again after a connection broke.
///
/// A server that cannot be reached is an error that says where it was looked for. What was under way when a connection
/// broke is not sent again: it may have happened.
#[derive(Clone)]
pub struct Redis(Arc<Inner>);

struct Inner {
    name: String,
    client: redis::Client,
    prefix: String,
    settings: ConnectionManagerConfig,
    connect_timeout: Duration,
    response_timeout: Duration,
    connection: Mutex<Option<ConnectionManager>>,
}

/// A Lua script by its text, for a `static`.
pub fn script(text: &str) -> redis::Script {
    redis::Script::new(text)
}

impl Redis {
    /// A server by its address. Fails only when that is no address.
    pub fn open(name: &str, url: &Secret, prefix: &str, config: &RedisConfig) -> Result<Self> {
        let client = redis::Client::open(url.reveal()).map_err(|error| {
            // The client's sentence may quote the address, and with it the password.
            let why = if is_tls(url) && !cfg!(feature = "tls") {
                "it asks for TLS, which this build does not include: add the feature `redis-tls` to `housekey`"
            } else if error.kind() == ErrorKind::InvalidClientConfig {
                "use `redis://user:password@host:6379/0`"
            } else {
                "it cannot be read"
            };
            Error::internal(format!("the address of Redis in {} is not usable: {why}", setting(name)))
        })?;
        // Trying again is the caller's decision; waiting here for a server that is down would hide it.
        let connect_timeout = Duration::from_millis(config.connect_timeout.max(1));
        let response_timeout = Duration::from_millis(config.response_timeout.max(1));
        let settings = ConnectionManagerConfig::new()
            .set_number_of_retries(0)
            .set_connection_timeout(Some(connect_timeout))
            .set_response_timeout(Some(response_timeout));
        let (name, prefix) = (name.to_owned(), prefix.to_owned());
        let connection = Mutex::default();
        Ok(Self(Arc::new(Inner {
            name,
            client,
            prefix,
            settings,
            connect_timeout,
            response_timeout,
            connection,
        })))
    }

    /// A server at an address, with the usual settings: for tools and tests.
    pub fn at(url: &str, prefix: &str) -> Result<Self> {
        Self::open("default", &url.into(), prefix, &RedisConfig::default())
    }

    /// What every key of this application starts with.
    pub fn prefix(&self) -> &str {
        &self.0.prefix
    }

    /// Where it is, for people. Never with a password.
    pub fn place(&self) -> String {
        let info = self.0.client.get_connection_info();
        format!("{}/{}", info.addr(), info.redis_settings().db())
    }

    /// Runs a command.
    ///
    /// ```no_run
    /// # async fn example(redis: housekey_redis::Redis) -> housekey_core::Result<()> {
    /// use housekey_redis::client::cmd;
    ///
    /// let key = format!("{}greeting", redis.prefix());
    /// redis.command::<()>(cmd("SET").arg(&key).arg("hello")).await?;
    /// # Ok(()) }
    /// ```
    pub async fn command<T: FromRedisValue>(&self, command: &redis::Cmd) -> Result<T> {
        let mut connection = self.connection()?;
        command.query_async(&mut connection).await.map_err(|error| self.explain(error))
    }

    /// Runs several commands in one go.
    pub async fn pipeline<T: FromRedisValue>(&self, pipeline: &redis::Pipeline) -> Result<T> {
        let mut connection = self.connection()?;
        pipeline.query_async(&mut connection).await.map_err(|error| self.explain(error))
    }

    /// Runs a script, which nothing else comes between.
    pub async fn invoke<T: FromRedisValue>(&self, script: &ScriptInvocation<'_>) -> Result<T> {
        let mut connection = self.connection()?;
        script.invoke_async(&mut connection).await.map_err(|error| self.explain(error))
    }

    /// Listens to what is published on a channel, on a connection of its own. The name is taken as it is: put the
    /// [prefix](Self::prefix) before it.
    pub async fn subscribe(&self, channel: &str) -> Result<Subscription> {
        let connecting = async {
            let mut listening = self.0.client.get_async_pubsub().await?;
            listening.subscribe(channel).await?;
            Ok(listening.split())
        };
        let (sink, stream) = timeout(self.0.connect_timeout, connecting)
            .await
            .unwrap_or_else(|_| Err(no_answer()))
            .map_err(|error| self.describe(error))?;
        Ok(Subscription { redis: self.clone(), sink, stream })
    }

    /// Asks the server for a sign of life.
    pub async fn ping(&self) -> Result<()> {
        self.command(&redis::cmd("PING")).await
    }

    fn connection(&self) -> Result<ConnectionManager> {
        let mut slot = self.0.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(connection) = &*slot {
            return Ok(connection.clone());
        }
        let settings = self.0.settings.clone();
        let made = ConnectionManager::new_lazy_with_config(self.0.client.clone(), settings);
        let connection = made.map_err(|error| self.describe(error))?;
        Ok(slot.insert(connection).clone())
    }

    fn explain(&self, error: RedisError) -> Error {
        // The manager mends what broke on the network by itself, and keeps any other failure to sign in for good.
        let refused = error.kind() == ErrorKind::AuthenticationFailed
            || error.kind() == ErrorKind::Server(ServerErrorKind::BusyLoading);
        if refused {
            *self.0.connection.lock().unwrap_or_else(PoisonError::into_inner) = None;
        }
        self.describe(error)
    }

    fn describe(&self, error: RedisError) -> Error {
        let place = self.place();
        let setting = setting(&self.0.name);
        let unreachable = error.is_io_error() || error.is_timeout() || error.is_connection_dropped();
        let note = if unreachable {
            format!("cannot reach Redis ({place}). Is it running there? The address stands in {setting}")
        } else if error.kind() == ErrorKind::AuthenticationFailed || error.code() == Some("NOAUTH") {
            format!("Redis ({place}) refuses us. Check the user and password in {setting}")
        } else if matches!(error.retry_method(), RetryMethod::WaitAndRetry) {
            format!("Redis ({place}) is not ready")
        } else {
            format!("Redis ({place})")
        };
        Error::from(error).context(note)
    }
}

/// What is published on one channel (`SUBSCRIBE`).
pub struct Subscription {
    redis: Redis,
    sink: PubSubSink,
    stream: PubSubStream,
}

impl Subscription {
    /// Waits for what is said next. An error means that the connection is gone, and with it what is said from now on.
    pub async fn next(&mut self) -> Result<Vec<u8>> {
        match self.stream.next().await {
            Some(message) => Ok(message.get_payload_bytes().to_vec()),
            None => Err(self.redis.describe(gone())),
        }
    }

    /// Whether the server is still there. A connection that broke without a word is silent for ever otherwise.
    pub async fn check(&mut self) -> Result<()> {
        let answer = timeout(self.redis.0.response_timeout, self.sink.ping::<redis::Value>()).await;
        answer.unwrap_or_else(|_| Err(no_answer())).map(drop).map_err(|error| self.redis.describe(error))
    }
}

impl fmt::Debug for Subscription {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Subscription").field(&self.redis).finish()
    }
}

fn no_answer() -> RedisError {
    std::io::Error::from(std::io::ErrorKind::TimedOut).into()
}

fn gone() -> RedisError {
    std::io::Error::from(std::io::ErrorKind::ConnectionReset).into()
}

/// Where an app says which server this is.
fn setting(name: &str) -> String {
    match name {
        "default" => "REDIS_URL, or in config/redis.rs if the app has that file".to_owned(),
        name => format!("config/redis.rs, connection `{name}`"),
    }
}

fn is_tls(url: &Secret) -> bool {
    url.reveal().starts_with("rediss:") || url.reveal().starts_with("valkeys:")
}

impl fmt::Debug for Redis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis")
            .field("name", &self.0.name)
            .field("place", &self.place())
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_that_is_none_is_refused_without_being_shown() {
        for address in
            ["", "not an address", "http://ada:hunter2@localhost", "redis://ada:hunter2@localhost:port"]
        {
            let error = Redis::at(address, "").unwrap_err().to_string();
            assert!(error.contains("REDIS_URL") && error.contains("config/redis.rs"), "{error}");
            assert!(!error.contains("hunter2"), "{error}");
        }
    }

    #[test]
    fn a_place_never_shows_the_password() {
        let redis = Redis::at("redis://ada:hunter2@db.internal:6380/3", "shop:").unwrap();
        assert_eq!(redis.place(), "db.internal:6380/3");
        assert!(!format!("{redis:?}").contains("hunter2"));
    }

    #[cfg(not(feature = "tls"))]
    #[test]
    fn tls_that_was_not_compiled_names_the_feature() {
        let error = Redis::at("rediss://localhost", "").unwrap_err().to_string();
        assert!(error.contains("`redis-tls`"), "{error}");
    }

    /// The handshake needs a cryptography to be chosen; without one the client would panic.
    #[cfg(feature = "tls")]
    #[tokio::test]
    async fn a_server_that_speaks_no_tls_is_an_error() {
        let socket = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = socket.local_addr().unwrap();
        let server = tokio::spawn(async move { socket.accept().await.map(drop) });
        let redis = Redis::at(&format!("rediss://{address}"), "").unwrap();
        let error = redis.ping().await.unwrap_err().to_string();
        assert!(error.contains(&address.port().to_string()), "{error}");
        server.await.unwrap().unwrap();
    }

    #[tokio::test]
    async fn a_server_that_is_not_there_is_an_error_that_says_where_it_was_looked_for() {
        let closed = housekey_test_support::ClosedPort::take().unwrap();
        let address = closed.address();
        let redis = Redis::at(&format!("redis://{address}"), "").unwrap();
        for _ in 0..2 {
            let error = redis.ping().await.unwrap_err().to_string();
            assert!(error.contains(&address.to_string()) && error.contains("REDIS_URL"), "{error}");
        }
    }
}

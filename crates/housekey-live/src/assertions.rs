use serde::de::DeserializeOwned;

use crate::Live;

/// Questions for tests. What is said is recorded under a test runner, and everywhere after [`Live::fake`]. Something inside a
/// transaction counts when that is committed.
///
/// ```
/// # use housekey_core::{AppConfig, ConfigFiles, Env, Environment, Result};
/// # use housekey_http::App;
/// # use housekey_live::{AppLive, LiveProvider, broadcast, live};
/// # use serde_json::{Value, json};
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// # let app = App::new(ConfigFiles::new()).env(Env::empty()).provider(LiveProvider).live(|live| {
/// #     live.public("books.{book}");
/// # });
/// # let app = app.configure(|config| config.update::<AppConfig>(|app| app.env = Environment::Testing)).boot()?;
/// # app.scope().enter(async {
/// live()?.fake();
/// broadcast("books.1", &json!({ "lent": true })).await?;
///
/// live()?.assert_broadcast("books.1");
/// live()?.assert_broadcast_where("books.1", |message: &Value| message["lent"] == true);
/// live()?.assert_not_broadcast("books.2");
/// # Ok(()) }).await }
/// ```
impl Live {
    /// From now on what is said is only recorded, and nobody hears it.
    pub fn fake(&self) -> &Self {
        self.keep_quiet();
        self
    }

    /// What was said in a channel, in order.
    ///
    /// # Panics
    /// When something else than a `T` was said there.
    #[track_caller]
    pub fn broadcasts<T: DeserializeOwned>(&self, channel: &str) -> Vec<T> {
        let read = |payload| {
            let kind = std::any::type_name::<T>();
            serde_json::from_value(payload)
                .unwrap_or_else(|error| panic!("what was said in `{channel}` is no {kind}: {error}"))
        };
        self.recorded().in_channel(channel).into_iter().map(read).collect()
    }

    /// # Panics
    /// When nothing was said in this channel.
    #[track_caller]
    pub fn assert_broadcast(&self, channel: &str) -> &Self {
        let found = !self.recorded().in_channel(channel).is_empty();
        assert!(found, "nothing was said in `{channel}`; {}", self.summary());
        self
    }

    /// # Panics
    /// When nothing was said in this channel for which `is_meant` holds.
    #[track_caller]
    pub fn assert_broadcast_where<T: DeserializeOwned>(
        &self,
        channel: &str,
        is_meant: impl FnMut(&T) -> bool,
    ) -> &Self {
        let found = self.broadcasts::<T>(channel).iter().any(is_meant);
        assert!(found, "no such thing was said in `{channel}`; {}", self.summary());
        self
    }

    /// # Panics
    /// When not exactly so many messages were sent to this channel.
    #[track_caller]
    pub fn assert_broadcast_times(&self, channel: &str, times: usize) -> &Self {
        let found = self.recorded().in_channel(channel).len();
        assert!(found == times, "`{channel}` had {found} messages, not {times}; {}", self.summary());
        self
    }

    /// # Panics
    /// When something was said in this channel.
    #[track_caller]
    pub fn assert_not_broadcast(&self, channel: &str) -> &Self {
        self.assert_broadcast_times(channel, 0)
    }

    /// # Panics
    /// When anything was said.
    #[track_caller]
    pub fn assert_nothing_broadcast(&self) -> &Self {
        assert!(self.recorded().channels().is_empty(), "nothing should be said; {}", self.summary());
        self
    }

    fn summary(&self) -> String {
        let channels = self.recorded().channels();
        if channels.is_empty() {
            "nothing was said anywhere".into()
        } else {
            format!("there were messages in: {}", channels.join(", "))
        }
    }
}

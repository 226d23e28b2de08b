use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use super::{Hub, Signals};
use crate::message::Message;

/// What waits in the queue of a stream.
pub(crate) enum Item {
    Message(Arc<Message>),
    /// Something may have been said that did not get here.
    Missed,
    /// A channel is not for them any more.
    Refused(Refusal),
}

/// Why somebody does not hear a channel.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) channel: String,
    pub(crate) status: u16,
    pub(crate) message: String,
}

/// Why a stream is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// Whoever opened it is not signed in any more.
    SignedOut,
    /// They read too slowly.
    Slow,
    /// They ask too much.
    Flood,
    /// What they say is not understood.
    Nonsense,
    /// The server stops.
    Stopping,
    /// Who they are cannot be found out.
    Unavailable,
}

impl End {
    pub(crate) fn reason(self) -> &'static str {
        match self {
            Self::SignedOut => "signed-out",
            Self::Slow => "slow",
            Self::Flood => "flood",
            Self::Nonsense => "nonsense",
            Self::Stopping => "stopping",
            Self::Unavailable => "unavailable",
        }
    }

    /// The code of the frame that closes a websocket.
    pub(crate) fn close_code(self) -> u16 {
        match self {
            Self::Stopping => 1001,
            Self::Unavailable => 1013,
            Self::Nonsense => 4400,
            Self::SignedOut => 4401,
            Self::Slow => 4408,
            Self::Flood => 4429,
        }
    }
}

/// What a stream hears next.
pub(crate) enum StreamEvent {
    Item(Item),
    End(End),
}

/// One stream: what it hears, and what it listens to. Dropped, it listens to nothing.
pub(crate) struct Listener {
    subscriptions: Arc<Subscriptions>,
    queue: mpsc::Receiver<Item>,
    end: watch::Receiver<Option<End>>,
}

impl Listener {
    pub(super) fn new(
        subscriptions: Subscriptions,
        queue: mpsc::Receiver<Item>,
        end: watch::Receiver<Option<End>>,
    ) -> Self {
        Self { subscriptions: Arc::new(subscriptions), queue, end }
    }

    pub(crate) fn subscriptions(&self) -> &Arc<Subscriptions> {
        &self.subscriptions
    }

    /// Waits for what comes next. An end comes before what is still in the queue: it is not for them any more.
    pub(crate) async fn next(&mut self) -> StreamEvent {
        tokio::select! {
            biased;
            end = ended(&mut self.end) => StreamEvent::End(end),
            item = self.queue.recv() => item.map_or(StreamEvent::End(End::Slow), StreamEvent::Item),
        }
    }

    /// Waits for an end alone: for whoever is busy with something else.
    pub(crate) fn ended(&self) -> impl Future<Output = End> + Send + use<> {
        let mut end = self.end.clone();
        async move { ended(&mut end).await }
    }

    /// The name of now, if there is nothing left to hear that came before it.
    pub(crate) fn position(&self) -> Option<String> {
        let state = self.subscriptions.hub.state();
        self.queue.is_empty().then(|| state.history.position().to_owned())
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.subscriptions.hub.state().remove(self.subscriptions.id);
    }
}

async fn ended(end: &mut watch::Receiver<Option<End>>) -> End {
    match end.wait_for(Option::is_some).await.map(|end| *end) {
        Ok(Some(end)) => end,
        // The sender is held by whoever waits here.
        _ => std::future::pending().await,
    }
}

/// What a stream listens to; also in the hands of who watches over it.
pub(crate) struct Subscriptions {
    hub: Arc<Hub>,
    id: u64,
    signals: Arc<Signals>,
}

impl Subscriptions {
    pub(super) fn new(hub: Arc<Hub>, id: u64, signals: Arc<Signals>) -> Self {
        Self { hub, id, signals }
    }

    /// Listens to these channels from now on, and from a position on where that is still known.
    pub(crate) fn add(&self, channels: &[String], after: Option<&str>) {
        self.hub.state().add(self.id, channels, after);
    }

    /// How often the stream was asked to look again who they are.
    pub(crate) fn rechecks(&self) -> u64 {
        self.hub.state().streams.get(&self.id).map_or(0, |stream| stream.rechecks)
    }

    /// Like [`add`](Self::add), for answers from after so many rechecks; `false`, and nothing is added, if there was another one
    /// meanwhile. Whoever looked then knew nothing of these channels, so nobody else would notice a right that is gone.
    pub(crate) fn add_unless_rechecked(
        &self,
        channels: &[String],
        after: Option<&str>,
        rechecks: u64,
    ) -> bool {
        let mut state = self.hub.state();
        if state.streams.get(&self.id).is_some_and(|stream| stream.rechecks != rechecks) {
            return false;
        }
        state.add(self.id, channels, after);
        true
    }

    pub(crate) fn remove(&self, channel: &str) {
        let mut state = self.hub.state();
        if let Some(stream) = state.streams.get_mut(&self.id)
            && stream.channels.remove(channel)
        {
            state.leave(self.id, channel);
        }
    }

    /// Ends one channel of the stream, and tells it.
    pub(crate) fn refuse(&self, refusal: Refusal) {
        self.remove(&refusal.channel);
        self.hub.state().give(self.id, Item::Refused(refusal));
    }

    /// Ends the stream, and tells it.
    pub(crate) fn end(&self, end: End) {
        // First the reason: a queue that is closed without one belongs to somebody who read too slowly.
        self.signals.end.send_if_modified(|told| {
            let is_first = told.is_none();
            told.get_or_insert(end);
            is_first
        });
        self.hub.state().remove(self.id);
    }

    pub(crate) fn channels(&self) -> Vec<String> {
        let state = self.hub.state();
        state
            .streams
            .get(&self.id)
            .map(|stream| stream.channels.iter().cloned().collect())
            .unwrap_or_default()
    }

    /// Waits until somebody says that this stream must be looked at again.
    pub(crate) async fn recheck_asked(&self) {
        self.signals.recheck.notified().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::LiveConfig;
    use crate::hub::Who;

    fn hub(change: impl FnOnce(&mut LiveConfig)) -> Arc<Hub> {
        let mut config = LiveConfig::default();
        change(&mut config);
        Hub::new(&config)
    }

    fn say(hub: &Hub, id: &str, channel: &str) {
        hub.deliver(Message::new(id.into(), channel.into(), "1"));
    }

    async fn heard(listener: &mut Listener) -> String {
        match housekey_test_support::in_time("something to hear", listener.next()).await {
            StreamEvent::Item(Item::Message(message)) => message.id.clone(),
            StreamEvent::Item(Item::Missed) => "missed".into(),
            StreamEvent::Item(Item::Refused(refusal)) => format!("refused {}", refusal.channel),
            StreamEvent::End(end) => end.reason().into(),
        }
    }

    fn guest() -> Who {
        Who::Guest("here".into())
    }

    fn names(names: &[&str]) -> Vec<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    }

    #[tokio::test]
    async fn who_reads_slowly_is_dropped_and_told_and_the_others_hear_everything() {
        let hub = hub(|config| config.queue = 2);
        let (mut slow, mut quick) = (hub.open(&guest()).unwrap(), hub.open(&guest()).unwrap());
        for listener in [&slow, &quick] {
            listener.subscriptions().add(&names(&["news"]), None);
        }
        for id in ["a", "b", "c", "d"] {
            say(&hub, id, "news");
            assert_eq!(heard(&mut quick).await, id);
        }
        for expected in ["a", "b", "slow", "slow"] {
            assert_eq!(heard(&mut slow).await, expected);
        }
    }

    #[tokio::test]
    async fn an_end_comes_before_what_is_still_in_the_queue() {
        let hub = hub(|_| ());
        let mut listener = hub.open(&Who::Member("ada".into())).unwrap();
        listener.subscriptions().add(&names(&["news"]), None);
        say(&hub, "a", "news");
        listener.subscriptions().end(End::SignedOut);
        listener.subscriptions().end(End::Slow);
        assert_eq!(heard(&mut listener).await, "signed-out");
    }

    #[tokio::test]
    async fn who_comes_back_hears_what_was_said_in_their_channels_meanwhile() {
        let hub = hub(|_| ());
        let position = hub.open(&guest()).unwrap().position().unwrap();
        for (id, channel) in [("a", "news"), ("b", "books.1"), ("c", "weather")] {
            say(&hub, id, channel);
        }
        let mut back = hub.open(&guest()).unwrap();
        back.subscriptions().add(&names(&["news", "weather"]), Some(&position));
        assert_eq!(back.position(), None, "there is something to hear first");
        assert_eq!(heard(&mut back).await, "a");
        assert_eq!(heard(&mut back).await, "c");
        assert_eq!(back.position().as_deref(), Some("c"));
        let mut lost = hub.open(&guest()).unwrap();
        lost.subscriptions().add(&names(&["news"]), Some("long ago"));
        assert_eq!(heard(&mut lost).await, "missed");
    }

    #[tokio::test]
    async fn a_gap_in_what_was_carried_is_told_to_everybody() {
        let hub = hub(|_| ());
        let mut listener = hub.open(&guest()).unwrap();
        listener.subscriptions().add(&names(&["news"]), None);
        let before = listener.position().unwrap();
        hub.missed_something();
        assert_eq!(heard(&mut listener).await, "missed");
        assert_ne!(listener.position().unwrap(), before);
    }

    #[tokio::test]
    async fn nobody_has_more_streams_than_allowed_and_a_closed_one_makes_room() {
        let hub = hub(|config| config.max_streams = 2);
        let ada = Who::Member("ada".into());
        let (one, _two) = (hub.open(&ada).unwrap(), hub.open(&ada).unwrap());
        assert!(hub.open(&ada).is_none());
        assert!(hub.open(&Who::Member("grace".into())).is_some());
        drop(one);
        assert!(hub.open(&ada).is_some());
        assert!(hub.state().channels.is_empty());
    }
}

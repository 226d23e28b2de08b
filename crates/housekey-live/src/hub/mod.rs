//! Everybody who listens at this process, and what they hear.

mod history;
mod listener;

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::{mpsc, watch};

use crate::config::LiveConfig;
use crate::message::Message;
use history::History;
pub(crate) use listener::{End, Item, Listener, Refusal, StreamEvent, Subscriptions};

/// Who has a stream open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Who {
    /// Somebody, by the id of their account.
    Member(String),
    /// Nobody in particular, by where they are.
    Guest(String),
}

pub(crate) struct Hub {
    max_streams: usize,
    queue: usize,
    state: Mutex<State>,
}

struct State {
    next: u64,
    streams: HashMap<u64, Stream>,
    /// The streams of each channel.
    channels: HashMap<String, HashSet<u64>>,
    history: History,
}

struct Stream {
    who: Who,
    queue: mpsc::Sender<Item>,
    signals: Arc<Signals>,
    channels: HashSet<String>,
    /// How often it was asked to look again: whoever waits for an answer sees by it that the answer may be out of date.
    rechecks: u64,
}

/// What reaches a stream beside its queue, which may be full.
struct Signals {
    recheck: tokio::sync::Notify,
    end: watch::Sender<Option<End>>,
}

impl Hub {
    pub(crate) fn new(config: &LiveConfig) -> Arc<Self> {
        let state = State {
            next: 0,
            streams: HashMap::new(),
            channels: HashMap::new(),
            history: History::new(config.history),
        };
        let (max_streams, queue) = (config.max_streams.max(1), config.queue.max(1));
        Arc::new(Self { max_streams, queue, state: Mutex::new(state) })
    }

    /// A new stream without channels; `None` if whoever asks has enough of them.
    pub(crate) fn open(self: &Arc<Self>, who: &Who) -> Option<Listener> {
        let mut state = self.state();
        if state.streams.values().filter(|stream| stream.who == *who).count() >= self.max_streams {
            return None;
        }
        let id = state.next;
        state.next += 1;
        let (queue, receiver) = mpsc::channel(self.queue);
        let (end, ended) = watch::channel(None);
        let signals = Arc::new(Signals { recheck: tokio::sync::Notify::new(), end });
        let stream = Stream {
            who: who.clone(),
            queue,
            signals: Arc::clone(&signals),
            channels: HashSet::new(),
            rechecks: 0,
        };
        state.streams.insert(id, stream);
        drop(state);
        Some(Listener::new(Subscriptions::new(Arc::clone(self), id, signals), receiver, ended))
    }

    /// Gives a message to everybody who listens to its channel. One that was heard already is not heard again.
    pub(crate) fn deliver(&self, message: Message) {
        let message = Arc::new(message);
        let mut state = self.state();
        if !state.history.add(Arc::clone(&message)) {
            return;
        }
        let Some(streams) = state.channels.get(&message.channel) else { return };
        let streams: Vec<u64> = streams.iter().copied().collect();
        for id in streams {
            state.give(id, Item::Message(Arc::clone(&message)));
        }
    }

    /// Something may have been said that did not get here.
    pub(crate) fn missed_something(&self) {
        let mut state = self.state();
        state.history.forget();
        let streams: Vec<u64> = state.streams.keys().copied().collect();
        for id in streams {
            state.give(id, Item::Missed);
        }
    }

    /// Makes the streams of a person look again who they are.
    pub(crate) fn recheck(&self, user: &str) {
        let of_user = |who: &Who| matches!(who, Who::Member(id) if id == user);
        for stream in self.state().streams.values_mut().filter(|stream| of_user(&stream.who)) {
            stream.rechecks += 1;
            stream.signals.recheck.notify_one();
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Puts something into a stream's queue. Where that is full the stream is over: it hears what is in the queue, and no more.
    fn give(&mut self, id: u64, item: Item) {
        let is_full = self.streams.get(&id).is_some_and(|stream| stream.queue.try_send(item).is_err());
        if is_full {
            self.remove(id);
        }
    }

    /// Lets a stream listen to these channels, and gives it what was said in them since a position.
    fn add(&mut self, id: u64, channels: &[String], after: Option<&str>) {
        let Some(stream) = self.streams.get_mut(&id) else { return };
        let new: Vec<&String> =
            channels.iter().filter(|name| stream.channels.insert((*name).clone())).collect();
        for &channel in &new {
            self.channels.entry(channel.clone()).or_default().insert(id);
        }
        let Some(after) = after.filter(|_| !new.is_empty()) else { return };
        let missed: Option<Vec<Arc<Message>>> = self
            .history
            .since(after)
            .map(|since| since.filter(|message| new.contains(&&message.channel)).cloned().collect());
        match missed {
            Some(messages) => messages.into_iter().for_each(|message| self.give(id, Item::Message(message))),
            None => self.give(id, Item::Missed),
        }
    }

    fn remove(&mut self, id: u64) {
        let Some(stream) = self.streams.remove(&id) else { return };
        for channel in &stream.channels {
            self.leave(id, channel);
        }
    }

    fn leave(&mut self, id: u64, channel: &str) {
        if let Some(streams) = self.channels.get_mut(channel) {
            streams.remove(&id);
            if streams.is_empty() {
                self.channels.remove(channel);
            }
        }
    }
}

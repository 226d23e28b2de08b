//! A mailbox, a list of events and an engine with both.

use std::sync::{Arc, Mutex};

use housekey_engine::testing;
use housekey_engine::{ApiError, Callback, Clock, Engine, MemoryStorage, Plugin, SecurityEvent};

pub(crate) const ADA: &str = "ada@example.com";

/// Keeps what it is handed, newest last.
pub(crate) struct Kept<T>(Arc<Mutex<Vec<T>>>);

impl<T: Clone + Send + 'static> Kept<T> {
    pub(crate) fn new() -> Self {
        Self(Arc::default())
    }

    pub(crate) fn callback(&self) -> Callback<T> {
        let kept = Arc::clone(&self.0);
        Callback::new(move |one: T| {
            kept.lock().unwrap().push(one);
            async { Ok::<_, ApiError>(()) }
        })
    }

    pub(crate) fn all(&self) -> Vec<T> {
        self.0.lock().unwrap().clone()
    }
}

/// An engine whose clock stands still, and what it told of.
pub(crate) fn engine(plugins: Vec<Plugin>) -> (Engine, Kept<SecurityEvent>) {
    let events = Kept::new();
    let mut builder = testing::engine(plugins.into_iter().collect::<housekey_engine::Plugins>());
    builder.options.on_security_event = events.callback();
    (builder.clock(Clock::frozen_now()).build(MemoryStorage::new()).unwrap(), events)
}

pub(crate) fn kinds(events: &Kept<SecurityEvent>) -> Vec<&'static str> {
    events.all().iter().map(|event| event.kind.name()).collect()
}

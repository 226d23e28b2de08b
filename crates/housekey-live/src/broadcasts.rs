use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::Value;

/// What was said, in order: channels and payloads.
#[derive(Clone, Default)]
pub(crate) struct Broadcasts(Arc<Mutex<Vec<(String, Value)>>>);

impl Broadcasts {
    pub(crate) fn add(&self, channel: &str, payload: Value) {
        self.lock().push((channel.to_owned(), payload));
    }

    /// What was said in a channel.
    pub(crate) fn in_channel(&self, channel: &str) -> Vec<Value> {
        let all = self.lock();
        all.iter().filter(|(said_in, _)| said_in == channel).map(|(_, payload)| payload.clone()).collect()
    }

    /// Where something was said, in order.
    pub(crate) fn channels(&self) -> Vec<String> {
        self.lock().iter().map(|(channel, _)| channel.clone()).collect()
    }

    fn lock(&self) -> MutexGuard<'_, Vec<(String, Value)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Where events go in a test.

use std::sync::{Arc, Mutex};

use housekey_engine::{ApiError, Callback, SecurityEvent};

/// The events of an engine, in order.
#[derive(Clone, Default)]
pub(crate) struct Events(Arc<Mutex<Vec<SecurityEvent>>>);

impl Events {
    pub(crate) fn sink(&self) -> Callback<SecurityEvent> {
        let events = Arc::clone(&self.0);
        Callback::new(move |event| {
            events.lock().unwrap().push(event);
            async { Ok::<_, ApiError>(()) }
        })
    }

    /// What came since the last look: the name of each, and its details.
    pub(crate) fn take(&self) -> Vec<String> {
        let events = std::mem::take(&mut *self.0.lock().unwrap());
        let detail = |event: &SecurityEvent| {
            let pairs = event.detail.iter().filter(|(name, _)| *name != "addressHash");
            pairs.map(|(_, value)| format!(" {}", value.as_text().unwrap_or("yes"))).collect::<String>()
        };
        events.iter().map(|event| format!("{}{}", event.kind.name(), detail(event))).collect()
    }

    pub(crate) fn all(&self) -> Vec<SecurityEvent> {
        self.0.lock().unwrap().clone()
    }
}

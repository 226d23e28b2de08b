//! Channels by which a test sees that somebody looks, and keeps them waiting.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use housekey_live::{Channel, Channels};
use housekey_test_support::happens;

/// Everybody may hear `counted` and `slow`. Who asks about the first is counted, and who asks about the second waits for the door.
#[derive(Clone, Default)]
pub(crate) struct Door(Arc<Inner>);

#[derive(Default)]
struct Inner {
    looks: AtomicUsize,
    is_asked: AtomicBool,
    is_open: AtomicBool,
}

impl Door {
    pub(crate) fn channels(&self, live: &mut Channels) {
        let door = self.clone();
        live.channel("counted", move |_: Channel| {
            door.0.looks.fetch_add(1, Ordering::SeqCst);
            async { true }
        });
        let door = self.clone();
        live.channel("slow", move |_: Channel| {
            let door = door.clone();
            async move {
                door.0.is_asked.store(true, Ordering::SeqCst);
                happens("the door to open", || door.0.is_open.load(Ordering::SeqCst)).await;
                true
            }
        });
    }

    pub(crate) fn looks(&self) -> usize {
        self.0.looks.load(Ordering::SeqCst)
    }

    /// Waits until somebody waits for the door.
    pub(crate) async fn is_asked(&self) {
        happens("somebody at the door", || self.0.is_asked.load(Ordering::SeqCst)).await;
    }

    pub(crate) fn open(&self) {
        self.0.is_open.store(true, Ordering::SeqCst);
    }
}

//! What is going on, for whoever asks: the one piece of state that the proxy and the session share.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use serde_json::{Value, json};

use super::backend::{Backend, Lease};

#[derive(Debug, Default)]
pub(crate) struct DevState {
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    phase: Phase,
    /// Counts phases, so a page can tell a second failure from the first.
    turn: u64,
    backend: Option<Arc<Backend>>,
    /// From a failure until an app is in service again, so that people do not see the old app flash by while the
    /// next build runs.
    broken: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Phase {
    Building(Progress),
    /// A new app is built, and its own commands make what it needs.
    SettingUp(Progress),
    Starting,
    Ready,
    Failed(Problem),
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Progress {
    pub(crate) done: u32,
    /// Zero while cargo does not know yet.
    pub(crate) total: u32,
    /// What is happening right now, in the words of cargo or the app.
    pub(crate) current: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) title: String,
    /// Plain text: the compiler's or the app's own words, without colours.
    pub(crate) detail: String,
}

impl Default for Phase {
    fn default() -> Self {
        Self::Building(Progress::default())
    }
}

/// Who answers a request.
#[derive(Debug)]
pub(crate) enum ProxyTarget {
    App(Lease),
    Page(Phase),
}

impl DevState {
    pub(crate) fn enter(&self, phase: Phase) {
        let mut inner = self.lock();
        match phase {
            Phase::Failed(_) => inner.broken = true,
            Phase::Ready => inner.broken = false,
            Phase::Building(_) | Phase::SettingUp(_) | Phase::Starting => {}
        }
        inner.phase = phase;
        inner.turn += 1;
    }

    /// Progress of the running build; ignored when the build is no longer what is going on.
    pub(crate) fn progress(&self, update: impl FnOnce(&mut Progress)) {
        if let Phase::Building(progress) = &mut self.lock().phase {
            update(progress);
        }
    }

    /// Puts a new app into service and gives back the one it replaces.
    pub(crate) fn put_in_service(&self, backend: Arc<Backend>) -> Option<Arc<Backend>> {
        let mut inner = self.lock();
        inner.phase = Phase::Ready;
        inner.broken = false;
        inner.turn += 1;
        inner.backend.replace(backend)
    }

    pub(crate) fn take_out_of_service(&self) -> Option<Arc<Backend>> {
        self.lock().backend.take()
    }

    /// An app in service answers, except that a person who opens a page is shown why the last build failed. The
    /// lease is taken under the same lock as the swap, so a retiring app is never handed a new request.
    pub(crate) fn target(&self, opens_a_page: bool) -> ProxyTarget {
        let inner = self.lock();
        match &inner.backend {
            Some(backend) if !(opens_a_page && inner.broken) => ProxyTarget::App(Backend::lease(backend)),
            _ => ProxyTarget::Page(inner.phase.clone()),
        }
    }

    pub(crate) fn phase(&self) -> Phase {
        self.lock().phase.clone()
    }

    /// What the pages ask for while they wait.
    pub(crate) fn status(&self) -> Value {
        let inner = self.lock();
        let (phase, progress) = match &inner.phase {
            Phase::Building(progress) => ("building", progress.clone()),
            Phase::SettingUp(progress) => ("setting up", progress.clone()),
            Phase::Starting => ("starting", Progress::default()),
            Phase::Ready => ("ready", Progress::default()),
            Phase::Failed(_) => ("failed", Progress::default()),
        };
        json!({
            "phase": phase,
            "turn": inner.turn,
            "done": progress.done,
            "total": progress.total,
            "current": progress.current,
        })
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        // No code panics while it holds this lock half written, so a poisoned one is as good as any.
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

use std::sync::Arc;

use cookie::Cookie;
use housekey_core::{Error, Result};

use super::data::{Change, SessionData};
use super::handle::Session;
use super::manager::{Found, SessionManager};
use super::state::{Moving, Seen};
use super::store::SessionId;
use super::ticket::Ticket;

/// Each lost round means that another process got its change in; nobody loses this often.
const ROUNDS: usize = 100;

/// What saving came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Outcome {
    /// The record is in the store.
    Saved { has_flash: bool },
    /// There was nothing to store.
    Empty,
    /// The session ended meanwhile: the changes are void, and the browser's cookie is left alone, because a newer
    /// one may be on its way.
    Void,
}

/// The request's half of the work, taken out of the handle so that no lock is held while the store works.
struct Job {
    manager: Arc<SessionManager>,
    now: u64,
    seen: Seen,
    /// The contents as loaded, with the changes applied.
    data: SessionData,
    changes: Vec<Change>,
}

impl Session {
    /// Saves what changed, and answers the cookie that has to go with the response.
    pub async fn finish(&self) -> Result<Option<Cookie<'static>>> {
        let Some(manager) = self.0.manager.clone() else { return Ok(None) };
        if let Some(ticket) = self.finish_at_once() {
            return Ok(ticket.map(|ticket| manager.cookie(&ticket)));
        }
        let now = self.0.clock.unix();
        let is_old = |age: Option<u64>| age.is_some_and(|age| age >= manager.prolong_after());

        let must_load = {
            let state = self.state();
            state.has_changed() || (state.needs_cookie && is_old(state.cookie_age(now)))
        };
        if must_load {
            self.load().await?;
        }

        let (job, ticket, source, id, moving, needs_cookie, is_old) = {
            let mut state = self.state();
            let mut data = state.data.clone();
            // Spent flashes stayed readable until now.
            state
                .changes
                .iter()
                .filter(|change| matches!(change, Change::Spend(..)))
                .for_each(|change| data.apply(change));
            let (ticket, source, moving) = (state.ticket, state.source, state.moving);
            let job =
                Job { manager: manager.clone(), now, seen: state.seen, data, changes: state.changes.clone() };
            (job, ticket, source, state.id(), moving, state.needs_cookie, is_old(state.cookie_age(now)))
        };
        let holds = |has_flash| ticket.is_some_and(|ticket| ticket.id == id && ticket.has_flash == has_flash);

        let outcome = match (moving, source) {
            (Some(moving), Some(source)) => job.relocate(moving, &source, &id).await?,
            _ if !job.changes.is_empty() => job.save(&id).await?,
            _ => {
                let is_unknown = job.seen == Seen::NotYet;
                let has_flash =
                    !job.data.flash.is_empty() || (is_unknown && ticket.is_some_and(|t| t.has_flash));
                let is_kept_alive = needs_cookie || !job.data.is_empty();
                let is_worth_a_cookie = !holds(has_flash) || (is_old && is_kept_alive);
                if is_worth_a_cookie { job.prolong(&id).await? } else { Outcome::Void }
            }
        };

        let has_flash = match outcome {
            Outcome::Void => return Ok(None),
            Outcome::Saved { has_flash } => has_flash,
            Outcome::Empty if moving == Some(Moving::Invalidate) && !needs_cookie => {
                return Ok(Some(manager.no_cookie()));
            }
            // An empty session gets no cookie. A browser that has one is only told that no flash is left.
            Outcome::Empty if !needs_cookie && ticket.is_none_or(|ticket| ticket.id != id) => {
                return Ok(None);
            }
            Outcome::Empty => false,
        };
        if holds(has_flash) && !is_old {
            return Ok(None);
        }
        Ok(Some(manager.cookie(&Ticket { id, issued_at: now, has_flash })))
    }

    /// The end of most requests: nothing was read and nothing changed, at most a token was handed out. No store is
    /// asked, so there is nothing to wait for. Answers what the cookie has to say, if there must be one; `None` where the
    /// store has to be asked.
    pub(crate) fn finish_at_once(&self) -> Option<Option<Ticket>> {
        let Some(manager) = &self.0.manager else { return Some(None) };
        let mut state = self.state();
        if state.has_changed() || state.is_loaded() {
            return None;
        }
        if !state.needs_cookie {
            return Some(None);
        }
        let now = self.0.clock.unix();
        if state.cookie_age(now).is_some_and(|age| age >= manager.prolong_after()) {
            return None;
        }
        let id = state.id();
        let is_known = state.ticket.is_some_and(|ticket| ticket.id == id);
        Some((!is_known).then_some(Ticket { id, issued_at: now, has_flash: false }))
    }
}

impl Job {
    /// Writes the changes to the newest record there is.
    async fn save(mut self, id: &SessionId) -> Result<Outcome> {
        let manager = self.manager.clone();
        let _turn = manager.turn(id).await;
        for _ in 0..ROUNDS {
            let expected = match self.seen {
                Seen::NotYet | Seen::Absent { .. } if self.data.is_empty() => return Ok(Outcome::Empty),
                Seen::NotYet => None,
                Seen::Absent { version } => version,
                Seen::Alive { version } => Some(version),
                Seen::JustEnded => return Ok(Outcome::Void),
            };
            if self.manager.write(id, expected, &self.data, self.now).await? {
                return Ok(Outcome::Saved { has_flash: !self.data.flash.is_empty() });
            }
            if !self.look_again(id).await? {
                tracing::debug!(session = ?id, "a session ended while a request was changing it; the changes are void");
                return Ok(Outcome::Void);
            }
        }
        Err(too_busy(id))
    }

    /// Reads the newest record and applies the changes to it. Answers whether the session still lives.
    async fn look_again(&mut self, id: &SessionId) -> Result<bool> {
        let (seen, data) = match self.manager.read(id, self.now).await? {
            Found::Alive { version, data } => (Seen::Alive { version }, data),
            // It was there when this request read it: somebody ended it, and it stays ended.
            Found::Absent { .. } if matches!(self.seen, Seen::Alive { .. }) => return Ok(false),
            Found::Absent { version } => (Seen::Absent { version }, SessionData::default()),
            Found::Ended { .. } => return Ok(false),
        };
        (self.seen, self.data) = (seen, data);
        self.changes.iter().for_each(|change| self.data.apply(change));
        Ok(true)
    }

    /// Ends the record of `source` and writes what is to be kept under `id`, which nobody else knows yet.
    async fn relocate(mut self, moving: Moving, source: &SessionId, id: &SessionId) -> Result<Outcome> {
        let own = self.data.clone();
        self.end(source).await?;
        match moving {
            // Everything of the old session stays behind, whatever its record held.
            Moving::Invalidate => self.data = own,
            // Ended by another request: only what this one put in itself goes on.
            Moving::Regenerate if self.seen == Seen::JustEnded => {
                self.data = SessionData::default();
                self.changes.iter().for_each(|change| self.data.apply(change));
            }
            Moving::Regenerate => {}
        }
        self.seen = Seen::Absent { version: None };
        self.save(id).await
    }

    /// Puts a tombstone in the place of the newest record of `source`. For a move, the contents are those of the
    /// very record that was replaced; so a change that came in before is carried over, and one that comes after
    /// finds the tombstone.
    async fn end(&mut self, source: &SessionId) -> Result<()> {
        let manager = self.manager.clone();
        let _turn = manager.turn(source).await;
        let tombstone = SessionData::ended(self.now);
        for _ in 0..ROUNDS {
            let expected = match self.seen {
                Seen::NotYet => None,
                Seen::Absent { version } => version,
                Seen::Alive { version } => Some(version),
                Seen::JustEnded => return Ok(()),
            };
            if self.manager.write(source, expected, &tombstone, self.now).await? {
                return Ok(());
            }
            if !self.look_again(source).await? {
                self.seen = Seen::JustEnded;
            }
        }
        Err(too_busy(source))
    }

    /// Nothing changed: gives the record a new date, if there is one. Only a session that is alive this moment may
    /// have its cookie issued again.
    async fn prolong(self, id: &SessionId) -> Result<Outcome> {
        match self.seen {
            Seen::NotYet | Seen::Absent { .. } => Ok(Outcome::Empty),
            Seen::JustEnded => Ok(Outcome::Void),
            Seen::Alive { version } => {
                let has_flash = !self.data.flash.is_empty();
                let written = self.manager.write(id, Some(version), &self.data, self.now).await?;
                Ok(if written { Outcome::Saved { has_flash } } else { Outcome::Void })
            }
        }
    }
}

fn too_busy(id: &SessionId) -> Error {
    Error::internal(format!("{id:?} could not be saved: its record changed {ROUNDS} times in between"))
}

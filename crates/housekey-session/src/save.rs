use std::sync::Arc;

use cookie::Cookie;
use housekey_core::{Error, Result};

use crate::data::{Change, SessionData};
use crate::handle::Session;
use crate::manager::{SessionLookup, SessionManager};
use crate::plan::{CookieChange, Outcome, Plan, Write};
use crate::state::{IdChange, LoadState, State};
use crate::store::SessionId;

/// Each lost round means that another process got its change in; nobody loses this often.
const ROUNDS: usize = 100;

/// The request's half of the work, taken out of the handle so that no lock is held while the store works.
struct Job {
    manager: Arc<SessionManager>,
    now: u64,
    seen: LoadState,
    /// The contents as loaded, with the changes applied.
    data: SessionData,
    changes: Vec<Change>,
}

impl Session {
    /// Saves what changed, and answers the cookie that has to go with the response.
    pub async fn finish(&self) -> Result<Option<Cookie<'static>>> {
        let Some(manager) = self.0.manager.clone() else { return Ok(None) };
        let (now, prolong_after) = (self.0.clock.unix(), manager.prolong_after());
        let mut plan = self.state().plan(now, prolong_after);
        if plan == Plan::Load {
            self.load().await?;
            plan = self.state().plan(now, prolong_after);
        }
        let write = match plan {
            Plan::Write(write) => write,
            Plan::Cookie(ticket) => return Ok(Some(manager.cookie(&ticket))),
            Plan::Nothing | Plan::Load => return Ok(None),
        };
        let (job, cookie) = {
            let mut state = self.state();
            (Job::new(&state, manager.clone(), now), state.browser_cookie(now, prolong_after))
        };
        let outcome = match write {
            Write::Move(moving, source) => job.relocate(moving, &source, &cookie.id).await?,
            Write::Changes => job.save(&cookie.id).await?,
            Write::Prolong => job.prolong(&cookie.id).await?,
        };
        Ok(match cookie.after(outcome, now) {
            CookieChange::Keep => None,
            CookieChange::Drop => Some(manager.no_cookie()),
            CookieChange::Set(ticket) => Some(manager.cookie(&ticket)),
        })
    }
}

impl Job {
    fn new(state: &State, manager: Arc<SessionManager>, now: u64) -> Self {
        let (mut data, changes) = (state.data.clone(), state.changes.clone());
        // Spent flashes stayed readable until now.
        changes
            .iter()
            .filter(|change| matches!(change, Change::Spend(..)))
            .for_each(|change| data.apply(change));
        Self { manager, now, seen: state.seen, data, changes }
    }

    /// Writes the changes to the newest record there is.
    async fn save(mut self, id: &SessionId) -> Result<Outcome> {
        let manager = self.manager.clone();
        let _turn = manager.turn(id).await;
        for _ in 0..ROUNDS {
            let expected = match self.seen {
                LoadState::NotYet | LoadState::Absent { .. } if self.data.is_empty() => {
                    return Ok(Outcome::Empty);
                }
                LoadState::NotYet => None,
                LoadState::Absent { version } => version,
                LoadState::Alive { version } => Some(version),
                LoadState::JustEnded => return Ok(Outcome::Void),
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
            SessionLookup::Alive { version, data } => (LoadState::Alive { version }, data),
            // It was there when this request read it: somebody ended it, and it stays ended.
            SessionLookup::Absent { .. } if matches!(self.seen, LoadState::Alive { .. }) => return Ok(false),
            SessionLookup::Absent { version } => (LoadState::Absent { version }, SessionData::default()),
            SessionLookup::Ended { .. } => return Ok(false),
        };
        (self.seen, self.data) = (seen, data);
        self.changes.iter().for_each(|change| self.data.apply(change));
        Ok(true)
    }

    /// Ends the record of `source` and writes what is to be kept under `id`, which nobody else knows yet.
    async fn relocate(mut self, moving: IdChange, source: &SessionId, id: &SessionId) -> Result<Outcome> {
        let own = self.data.clone();
        self.end(source).await?;
        match moving {
            // Everything of the old session stays behind, whatever its record held.
            IdChange::Invalidate => self.data = own,
            // Ended by another request: only what this one put in itself goes on.
            IdChange::Regenerate if self.seen == LoadState::JustEnded => {
                self.data = SessionData::default();
                self.changes.iter().for_each(|change| self.data.apply(change));
            }
            IdChange::Regenerate => {}
        }
        self.seen = LoadState::Absent { version: None };
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
                LoadState::NotYet => None,
                LoadState::Absent { version } => version,
                LoadState::Alive { version } => Some(version),
                LoadState::JustEnded => return Ok(()),
            };
            if self.manager.write(source, expected, &tombstone, self.now).await? {
                return Ok(());
            }
            if !self.look_again(source).await? {
                self.seen = LoadState::JustEnded;
            }
        }
        Err(too_busy(source))
    }

    /// Nothing changed: gives the record a new date, if there is one. Only a session that is alive this moment may
    /// have its cookie issued again.
    async fn prolong(self, id: &SessionId) -> Result<Outcome> {
        match self.seen {
            LoadState::NotYet | LoadState::Absent { .. } => Ok(Outcome::Empty),
            LoadState::JustEnded => Ok(Outcome::Void),
            LoadState::Alive { version } => {
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

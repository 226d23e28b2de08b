use std::collections::{BTreeMap, BTreeSet};

use housekey_core::random;
use serde_json::Value;

use crate::data::{Change, Flash, SessionData};
use crate::manager::SessionLookup;
use crate::store::SessionId;
use crate::ticket::Ticket;

/// Requests that were under way when their session ended get no new cookie within this time: it would overwrite
/// the one that the sign-in or sign-out beside them has just set.
const GRACE_SECONDS: u64 = 30;

/// What one request knows of its session.
#[derive(Debug, Default)]
pub(crate) struct State {
    /// What the browser's cookie says, if we signed it.
    pub(crate) ticket: Option<Ticket>,
    /// The session the contents come from.
    pub(crate) source: Option<SessionId>,
    /// Where the contents go, when that is not where they come from.
    successor: Option<SessionId>,
    pub(crate) moving: Option<IdChange>,
    pub(crate) seen: LoadState,
    /// The contents with this request's changes applied; spent flashes are still in it.
    pub(crate) data: SessionData,
    pub(crate) changes: Vec<Change>,
    /// Values of `flash_now`.
    now_only: BTreeMap<String, Value>,
    kept: BTreeSet<String>,
    keeps_all: bool,
    /// Somebody relies on the id coming back: a token was handed out.
    pub(crate) needs_cookie: bool,
    /// The token of forms, and the id that it belongs to: a page may have many forms.
    token: Option<(SessionId, String)>,
}

/// What the store said when the session was loaded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum LoadState {
    #[default]
    NotYet,
    Absent {
        version: Option<u64>,
    },
    Alive {
        version: u64,
    },
    /// It was ended moments ago, while this request was on its way.
    JustEnded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IdChange {
    /// To a new id, contents and all.
    Regenerate,
    /// To a new id, leaving everything behind.
    Invalidate,
}

impl State {
    pub(crate) fn new(ticket: Option<Ticket>) -> Self {
        Self { ticket, source: ticket.map(|ticket| ticket.id), ..Self::default() }
    }

    pub(crate) fn is_loaded(&self) -> bool {
        self.seen != LoadState::NotYet
    }

    /// The token of forms, which `sign` makes of the id.
    pub(crate) fn token(&mut self, sign: impl FnOnce(SessionId) -> String) -> String {
        let id = self.id();
        let (_, token) = match self.token.take().filter(|(of, _)| *of == id) {
            Some(known) => self.token.insert(known),
            None => self.token.insert((id, sign(id))),
        };
        token.clone()
    }

    /// Whether there is something that a store must be told.
    pub(crate) fn has_changed(&self) -> bool {
        !self.changes.is_empty() || self.moving.is_some()
    }

    /// The id this session will have from now on.
    pub(crate) fn id(&mut self) -> SessionId {
        match (self.successor, self.source) {
            (Some(id), _) | (None, Some(id)) => id,
            (None, None) => *self.successor.insert(SessionId::random()),
        }
    }

    /// Seconds since the browser's cookie was issued.
    pub(crate) fn cookie_age(&self, now: u64) -> Option<u64> {
        self.ticket.map(|ticket| now.saturating_sub(ticket.issued_at))
    }

    /// Takes in what the store said, and applies what the request changed before it asked.
    pub(crate) fn take_in(&mut self, found: SessionLookup, now: u64, lifetime: u64) {
        self.seen = match found {
            SessionLookup::Alive { version, data } => {
                self.data = data;
                LoadState::Alive { version }
            }
            SessionLookup::Ended { since } if now.saturating_sub(since) <= GRACE_SECONDS => {
                LoadState::JustEnded
            }
            SessionLookup::Absent { version } if self.cookie_age(now).is_some_and(|age| age < lifetime) => {
                LoadState::Absent { version }
            }
            // The cookie names a session that is over: this visitor starts anew, under another name.
            SessionLookup::Ended { .. } | SessionLookup::Absent { .. } => {
                self.source = None;
                self.moving = None;
                LoadState::Absent { version: None }
            }
        };
        for change in &self.changes {
            self.data.apply(change);
        }
    }

    pub(crate) fn change(&mut self, change: Change) {
        if self.is_loaded() {
            self.data.apply(&change);
        }
        self.changes.push(change);
    }

    pub(crate) fn read(&mut self, key: &str) -> Option<Value> {
        self.read_flash(key).or_else(|| self.data.values.get(key).cloned())
    }

    /// Reads a flashed value and notes that it is spent. It stays readable for the rest of this request.
    pub(crate) fn read_flash(&mut self, key: &str) -> Option<Value> {
        if let Some(value) = self.now_only.get(key) {
            return Some(value.clone());
        }
        let Flash { value, tag, .. } = self.own_flash(key).or_else(|| self.data.flash.get(key)).cloned()?;
        let is_own = self.own_flash(key).is_some_and(|flash| flash.tag == tag);
        let is_kept = self.keeps_all || self.kept.contains(key);
        let spend = Change::Spend(key.to_owned(), tag);
        // What this request itself flashed is meant for the next one.
        if !is_own && !is_kept && !self.changes.contains(&spend) {
            self.changes.push(spend);
        }
        Some(value)
    }

    fn own_flash(&self, key: &str) -> Option<&Flash> {
        self.changes.iter().rev().find_map(|change| match change {
            Change::Flash(name, flash) if name == key => Some(flash),
            _ => None,
        })
    }

    pub(crate) fn has(&self, key: &str) -> bool {
        self.now_only.contains_key(key)
            || self.data.flash.contains_key(key)
            || self.data.values.contains_key(key)
    }

    pub(crate) fn all(&self) -> serde_json::Map<String, Value> {
        let mut all = self.data.values.clone();
        all.extend(self.data.flash.iter().map(|(key, flash)| (key.clone(), flash.value.clone())));
        all.extend(self.now_only.iter().map(|(key, value)| (key.clone(), value.clone())));
        all
    }

    pub(crate) fn flash(&mut self, key: String, value: Value, now: u64) {
        self.now_only.remove(&key);
        let tag = u64::from_be_bytes(random::bytes());
        self.change(Change::Flash(key, Flash { value, at: now, tag }));
    }

    pub(crate) fn flash_now(&mut self, key: String, value: Value) {
        self.now_only.insert(key, value);
    }

    pub(crate) fn put(&mut self, key: &str, value: Value) {
        self.unflash(key);
        self.change(Change::Put(key.to_owned(), value));
    }

    pub(crate) fn forget(&mut self, key: &str) {
        self.unflash(key);
        self.change(Change::Forget(key.to_owned()));
    }

    /// A flash of this request's own that it overwrites or forgets must not be found by `own_flash` any more.
    fn unflash(&mut self, key: &str) {
        self.now_only.remove(key);
        self.changes.retain(|change| !matches!(change, Change::Flash(name, _) if name == key));
    }

    /// Keeps flashed values for one more request: those of `key`, or all.
    pub(crate) fn keep(&mut self, key: Option<&str>, now: u64) {
        match key {
            Some(key) => drop(self.kept.insert(key.to_owned())),
            None => self.keeps_all = true,
        }
        let is_kept = |name: &str| key.is_none_or(|key| key == name);
        self.changes.retain(|change| !matches!(change, Change::Spend(name, _) if is_kept(name)));
        self.change(Change::Keep(key.map(str::to_owned), now));
    }

    pub(crate) fn regenerate(&mut self) {
        self.successor = Some(SessionId::random());
        if self.source.is_some() {
            self.moving.get_or_insert(IdChange::Regenerate);
            self.needs_cookie = true;
        }
    }

    pub(crate) fn invalidate(&mut self) {
        let (ticket, source) = (self.ticket, self.source);
        *self = Self {
            ticket,
            source,
            successor: Some(SessionId::random()),
            moving: source.map(|_| IdChange::Invalidate),
            seen: LoadState::Absent { version: None },
            ..Self::default()
        };
    }
}

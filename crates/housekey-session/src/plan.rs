use crate::state::{IdChange, State};
use crate::store::SessionId;
use crate::ticket::Ticket;

/// What the end of a request has to do about its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Plan {
    Nothing,
    /// The browser gets a cookie. The store need not know.
    Cookie(Ticket),
    /// The store has to be asked first what it knows; then there is another plan.
    Load,
    Write(Write),
}

/// What the store is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Write {
    /// The session goes on under another id, and ends under this one.
    Move(IdChange, SessionId),
    /// The request's changes.
    Changes,
    /// Nothing changed; the record gets a new date, and the browser a new cookie.
    Prolong,
}

/// What the store made of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// The record is in the store.
    Saved { has_flash: bool },
    /// There was nothing to store.
    Empty,
    /// The session ended meanwhile: the changes are void.
    Void,
}

/// What becomes of the browser's cookie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CookieChange {
    Keep,
    Drop,
    Set(Ticket),
}

impl State {
    /// What is to be done now. A cookie that is `prolong_after` seconds old is issued again.
    pub(crate) fn plan(&mut self, now: u64, prolong_after: u64) -> Plan {
        let is_old = self.is_old(now, prolong_after);
        if !self.is_loaded() {
            return match self.has_changed() || (self.needs_cookie && is_old) {
                true => Plan::Load,
                false if self.needs_cookie => self.plan_cookie(now),
                false => Plan::Nothing,
            };
        }
        if let (Some(moving), Some(source)) = (self.moving, self.source) {
            return Plan::Write(Write::Move(moving, source));
        }
        if !self.changes.is_empty() {
            return Plan::Write(Write::Changes);
        }
        let is_kept_alive = self.needs_cookie || !self.data.is_empty();
        let has_flash = !self.data.flash.is_empty();
        match self.browser_cookie(now, prolong_after).says(has_flash) && !(is_old && is_kept_alive) {
            true => Plan::Nothing,
            false => Plan::Write(Write::Prolong),
        }
    }

    /// A token was handed out, and nothing else happened: only a browser that has no cookie yet needs one.
    fn plan_cookie(&mut self, now: u64) -> Plan {
        let id = self.id();
        let is_known = self.ticket.is_some_and(|ticket| ticket.id == id);
        if is_known { Plan::Nothing } else { Plan::Cookie(Ticket { id, issued_at: now, has_flash: false }) }
    }

    /// What is known of the browser's cookie, for when the store has been told.
    pub(crate) fn browser_cookie(&mut self, now: u64, prolong_after: u64) -> BrowserCookie {
        BrowserCookie {
            sent: self.ticket,
            id: self.id(),
            is_old: self.is_old(now, prolong_after),
            is_needed: self.needs_cookie,
            is_ended: self.moving == Some(IdChange::Invalidate),
        }
    }

    fn is_old(&self, now: u64, prolong_after: u64) -> bool {
        self.cookie_age(now).is_some_and(|age| age >= prolong_after)
    }
}

/// The cookie that the browser has, or is to get.
#[derive(Clone, Copy, Debug)]
pub(crate) struct BrowserCookie {
    /// What it says now.
    sent: Option<Ticket>,
    /// The session it must name from now on.
    pub(crate) id: SessionId,
    is_old: bool,
    /// Somebody relies on it: a token was handed out.
    is_needed: bool,
    /// The request ended the session.
    is_ended: bool,
}

impl BrowserCookie {
    /// What the browser is told, after what the store said.
    pub(crate) fn after(self, outcome: Outcome, now: u64) -> CookieChange {
        let has_flash = match outcome {
            // A newer cookie may be on its way.
            Outcome::Void => return CookieChange::Keep,
            Outcome::Saved { has_flash } => has_flash,
            Outcome::Empty if self.is_needed => false,
            Outcome::Empty if self.is_ended => return CookieChange::Drop,
            // An empty session gets no cookie. A browser that has one is only told that no flash is left.
            Outcome::Empty if self.sent.is_none_or(|sent| sent.id != self.id) => return CookieChange::Keep,
            Outcome::Empty => false,
        };
        match self.says(has_flash) && !self.is_old {
            true => CookieChange::Keep,
            false => CookieChange::Set(Ticket { id: self.id, issued_at: now, has_flash }),
        }
    }

    /// Whether it says all that a new one would, but for its date.
    fn says(&self, has_flash: bool) -> bool {
        self.sent.is_some_and(|sent| sent.id == self.id && sent.has_flash == has_flash)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::data::{Flash, SessionData};
    use crate::manager::SessionLookup;

    const NOW: u64 = 1_000_000;
    const PROLONG: u64 = 100;
    const LIFETIME: u64 = 2000;
    const KNOWN: SessionId = SessionId::from_bytes([7; 16]);

    fn ticket(age: u64, has_flash: bool) -> Option<Ticket> {
        Some(Ticket { id: KNOWN, issued_at: NOW - age, has_flash })
    }

    fn data(name: &str) -> SessionData {
        let mut data = SessionData::default();
        data.values.insert(name.into(), json!(1));
        data
    }

    fn flashed() -> SessionData {
        let flash = Flash { value: json!(1), at: NOW, tag: 1 };
        SessionData { flash: [("word".to_owned(), flash)].into(), ..SessionData::default() }
    }

    /// A request with this cookie, which then does something.
    fn request(ticket: Option<Ticket>, does: impl FnOnce(&mut State)) -> State {
        let mut state = State::new(ticket);
        does(&mut state);
        state
    }

    /// The same, after the store was asked and had this record, or none.
    fn loaded(ticket: Option<Ticket>, record: Option<SessionData>, does: impl FnOnce(&mut State)) -> State {
        request(ticket, |state| {
            let found = match record {
                Some(data) => SessionLookup::Alive { version: 1, data },
                None => SessionLookup::Absent { version: None },
            };
            state.take_in(found, NOW, LIFETIME);
            does(state);
        })
    }

    fn put(state: &mut State) {
        state.put("name", json!("Ada"));
    }

    fn hand_out_a_token(state: &mut State) {
        state.needs_cookie = true;
    }

    #[test]
    fn what_is_done_at_the_end_of_a_request() {
        let fresh = ticket(0, false);
        let nothing = |_: &mut State| {};
        let table = [
            ("a first visit", request(None, nothing), Plan::Nothing),
            ("a visit", request(fresh, nothing), Plan::Nothing),
            ("a visit with an old cookie", request(ticket(PROLONG, false), nothing), Plan::Nothing),
            ("a token for who has a cookie", request(fresh, hand_out_a_token), Plan::Nothing),
            ("a token, and an old cookie", request(ticket(PROLONG, false), hand_out_a_token), Plan::Load),
            ("a change", request(fresh, put), Plan::Load),
            ("a change by who has no cookie", request(None, put), Plan::Load),
            ("a new id", request(fresh, State::regenerate), Plan::Load),
            (
                "an end",
                request(fresh, State::invalidate),
                Plan::Write(Write::Move(IdChange::Invalidate, KNOWN)),
            ),
            ("a change, loaded", loaded(fresh, None, put), Plan::Write(Write::Changes)),
            (
                "a new id, loaded",
                loaded(fresh, Some(data("a")), State::regenerate),
                Plan::Write(Write::Move(IdChange::Regenerate, KNOWN)),
            ),
            ("a look", loaded(fresh, Some(data("a")), nothing), Plan::Nothing),
            (
                "a look with an old cookie",
                loaded(ticket(PROLONG, false), Some(data("a")), nothing),
                Plan::Write(Write::Prolong),
            ),
            ("a look at nothing", loaded(ticket(PROLONG, false), None, nothing), Plan::Nothing),
            ("a flash that is still there", loaded(ticket(0, true), Some(flashed()), nothing), Plan::Nothing),
            (
                "a flash that is gone",
                loaded(ticket(0, true), Some(data("a")), nothing),
                Plan::Write(Write::Prolong),
            ),
        ];
        for (case, mut state, plan) in table {
            assert_eq!(state.plan(NOW, PROLONG), plan, "{case}");
        }
        let Plan::Cookie(ticket) = request(None, hand_out_a_token).plan(NOW, PROLONG) else {
            panic!("a token for a first visit needs a cookie");
        };
        assert_eq!((ticket.issued_at, ticket.has_flash), (NOW, false));
    }

    #[test]
    fn what_the_browser_is_told() {
        const OTHER: SessionId = SessionId::from_bytes([8; 16]);
        let has = |sent: Option<Ticket>| BrowserCookie {
            sent,
            id: KNOWN,
            is_old: false,
            is_needed: false,
            is_ended: false,
        };
        let fresh = has(ticket(0, false));
        let new = |id, has_flash| CookieChange::Set(Ticket { id, issued_at: NOW, has_flash });
        let saved = |has_flash| Outcome::Saved { has_flash };
        let table = [
            ("saved, and it says so", fresh, saved(false), CookieChange::Keep),
            ("saved with a flash", fresh, saved(true), new(KNOWN, true)),
            (
                "saved, and it is old",
                BrowserCookie { is_old: true, ..fresh },
                saved(false),
                new(KNOWN, false),
            ),
            ("saved for the first time", has(None), saved(false), new(KNOWN, false)),
            ("saved under a new id", BrowserCookie { id: OTHER, ..fresh }, saved(false), new(OTHER, false)),
            (
                "ended elsewhere",
                BrowserCookie { is_needed: true, ..has(None) },
                Outcome::Void,
                CookieChange::Keep,
            ),
            ("nothing to keep", has(None), Outcome::Empty, CookieChange::Keep),
            (
                "a token and nothing to keep",
                BrowserCookie { is_needed: true, ..has(None) },
                Outcome::Empty,
                new(KNOWN, false),
            ),
            ("the flash was read", has(ticket(0, true)), Outcome::Empty, new(KNOWN, false)),
            (
                "ended",
                BrowserCookie { id: OTHER, is_ended: true, ..fresh },
                Outcome::Empty,
                CookieChange::Drop,
            ),
            (
                "ended, and a token",
                BrowserCookie { id: OTHER, is_ended: true, is_needed: true, ..fresh },
                Outcome::Empty,
                new(OTHER, false),
            ),
            (
                "ended, and begun anew",
                BrowserCookie { id: OTHER, is_ended: true, ..fresh },
                saved(true),
                new(OTHER, true),
            ),
        ];
        for (case, cookie, outcome, change) in table {
            assert_eq!(cookie.after(outcome, NOW), change, "{case}");
        }
    }
}

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use crate::SignedIn;

/// How many copies a generation holds.
const GENERATION: usize = 256;

/// A copy that was ours.
#[derive(Debug)]
pub(crate) struct Cached {
    pub(crate) signed_in: Arc<SignedIn>,
    pub(crate) version: String,
    /// When it expires by itself, in milliseconds since 1970.
    pub(crate) until: i64,
}

/// Copies that were opened lately, by the cookie's whole value.
///
/// A page is followed by several requests with the same cookie. Each would check the same signature, decrypt the same
/// bytes and read the same JSON; only the first does. A value that was changed by a single character is another value,
/// so nothing is believed here that was not checked before. Whether a copy has expired or was revoked is asked each time.
///
/// Two generations: when the younger is full it becomes the older one, which is forgotten then. Whoever keeps coming
/// back stays.
#[derive(Default)]
pub(crate) struct Opened(Mutex<Generations>);

#[derive(Default)]
struct Generations {
    young: HashMap<Box<str>, Arc<Cached>>,
    old: HashMap<Box<str>, Arc<Cached>>,
}

impl Opened {
    /// What this value was when it was opened before.
    pub(crate) fn recall(&self, value: &str) -> Option<Arc<Cached>> {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = generations.young.get(value) {
            return Some(Arc::clone(found));
        }
        let (value, found) = generations.old.remove_entry(value)?;
        generations.insert(value, Arc::clone(&found));
        Some(found)
    }

    /// Keeps what a value turned out to be.
    pub(crate) fn keep(&self, value: &str, cached: &Arc<Cached>) {
        let mut generations = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        generations.insert(value.into(), Arc::clone(cached));
    }
}

impl Generations {
    fn insert(&mut self, value: Box<str>, cached: Arc<Cached>) {
        if self.young.len() >= GENERATION {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(value, cached);
    }
}

impl std::fmt::Debug for Opened {
    /// The values are credentials.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Opened")
    }
}

#[cfg(test)]
mod tests {
    use time::OffsetDateTime;

    use super::*;
    use crate::{Record, Session, User};

    /// A copy about somebody.
    fn cached(name: &str) -> Arc<Cached> {
        let now = OffsetDateTime::UNIX_EPOCH;
        let person = Record::new().with("id", name).with("name", name).with("email", name);
        let person = person.with("emailVerified", true).with("createdAt", now).with("updatedAt", now);
        let session = Record::new().with("id", name).with("token", name).with("userId", name);
        let session = session.with("expiresAt", now).with("createdAt", now).with("updatedAt", now);
        let signed_in =
            SignedIn::new(Session::from_record(session).unwrap(), User::from_record(person).unwrap());
        Arc::new(Cached { signed_in: Arc::new(signed_in), version: "1".into(), until: 0 })
    }

    #[test]
    fn a_value_is_recalled_whole_or_not_at_all() {
        let opened = Opened::default();
        let ada = cached("ada");
        opened.keep("abcd", &ada);
        assert!(Arc::ptr_eq(&opened.recall("abcd").unwrap(), &ada));
        for other in ["abc", "abcde", "abce", "", "ABCD"] {
            assert!(opened.recall(other).is_none(), "{other}");
        }
    }

    #[test]
    fn whoever_comes_back_stays_and_nobody_else_takes_up_room() {
        let opened = Opened::default();
        let ada = cached("ada");
        opened.keep("ada", &ada);
        for number in 0..10 * GENERATION {
            opened.keep(&number.to_string(), &cached("passer-by"));
            if number % 100 == 0 {
                assert!(opened.recall("ada").is_some(), "after {number}");
            }
            let generations = opened.0.lock().unwrap();
            assert!(generations.young.len() + generations.old.len() <= 2 * GENERATION);
        }
        assert!(opened.recall("0").is_none());
    }
}

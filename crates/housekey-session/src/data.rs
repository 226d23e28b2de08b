use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Flashed values that nobody read for this long are dropped.
pub(crate) const FLASH_SECONDS: u64 = 5 * 60;

/// What a session holds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct SessionData {
    #[serde(default, skip_serializing_if = "Map::is_empty")]
    pub(crate) values: Map<String, Value>,
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(crate) flash: BTreeMap<String, Flash>,
    /// Set when the session was ended or moved to another id. The record stays for a while as a tombstone, so that
    /// a request still under way cannot bring the session back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) ended_at: Option<u64>,
}

/// A value for the request that reads it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Flash {
    pub(crate) value: Value,
    /// When it was flashed.
    pub(crate) at: u64,
    /// Tells this value from a later one under the same key: reading the old must not spend the new.
    pub(crate) tag: u64,
}

/// One change a request made. A request's changes are kept as a list and applied to the newest record when it is
/// saved, so that two requests at once lose nothing of each other.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Change {
    Put(String, Value),
    Forget(String),
    Increment(String, i64),
    Push(String, Value),
    Flash(String, Flash),
    /// The flashed value with this tag was read.
    Spend(String, u64),
    /// Flashed values (`None`: all of them) live on from this moment.
    Keep(Option<String>, u64),
}

impl SessionData {
    pub(crate) fn ended(at: u64) -> Self {
        Self { ended_at: Some(at), ..Self::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.values.is_empty() && self.flash.is_empty()
    }

    pub(crate) fn apply(&mut self, change: &Change) {
        match change {
            Change::Put(key, value) => {
                self.flash.remove(key);
                self.values.insert(key.clone(), value.clone());
            }
            Change::Forget(key) => {
                self.flash.remove(key);
                self.values.remove(key);
            }
            Change::Increment(key, by) => {
                let sum = self.number(key).saturating_add(*by);
                self.values.insert(key.clone(), sum.into());
            }
            Change::Push(key, value) => match self.values.get_mut(key) {
                Some(Value::Array(list)) => list.push(value.clone()),
                _ => drop(self.values.insert(key.clone(), vec![value.clone()].into())),
            },
            Change::Flash(key, flash) => {
                self.flash.insert(key.clone(), flash.clone());
            }
            Change::Spend(key, tag) => {
                if self.flash.get(key).is_some_and(|flash| flash.tag == *tag) {
                    self.flash.remove(key);
                }
            }
            Change::Keep(key, at) => {
                let kept = |name: &String| key.as_ref().is_none_or(|key| key == name);
                self.flash.iter_mut().filter(|(name, _)| kept(name)).for_each(|(_, flash)| flash.at = *at);
            }
        }
    }

    pub(crate) fn drop_stale_flash(&mut self, now: u64) {
        self.flash.retain(|_, flash| flash.at.saturating_add(FLASH_SECONDS) > now);
    }

    /// A counter's value; what is not a number counts as zero.
    pub(crate) fn number(&self, key: &str) -> i64 {
        self.values.get(key).and_then(Value::as_i64).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn flash(tag: u64, at: u64) -> Flash {
        Flash { value: json!(tag), at, tag }
    }

    #[test]
    fn reading_an_old_flash_does_not_spend_a_newer_one() {
        let mut data = SessionData::default();
        data.apply(&Change::Flash("status".into(), flash(1, 0)));
        data.apply(&Change::Flash("status".into(), flash(2, 0)));
        data.apply(&Change::Spend("status".into(), 1));
        assert_eq!(data.flash["status"].tag, 2);
    }

    #[test]
    fn an_unread_flash_ends_after_five_minutes_unless_it_is_kept() {
        let mut data = SessionData::default();
        data.apply(&Change::Flash("a".into(), flash(1, 1000)));
        data.apply(&Change::Flash("b".into(), flash(2, 1000)));
        data.apply(&Change::Keep(Some("b".into()), 1100));
        data.drop_stale_flash(1000 + FLASH_SECONDS);
        assert_eq!(data.flash.keys().collect::<Vec<_>>(), ["b"]);
    }

    #[test]
    fn a_counter_never_overflows_and_a_push_makes_a_list() {
        let mut data = SessionData::default();
        data.apply(&Change::Put("n".into(), json!(i64::MAX)));
        data.apply(&Change::Increment("n".into(), 5));
        data.apply(&Change::Push("list".into(), json!("a")));
        data.apply(&Change::Push("list".into(), json!("b")));
        assert_eq!(Value::Object(data.values), json!({ "n": i64::MAX, "list": ["a", "b"] }));
    }
}

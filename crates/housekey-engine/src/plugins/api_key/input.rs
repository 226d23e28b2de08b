//! What clients send about keys.

use serde_json::Value as Json;
use time::Duration;

use crate::{Reader, type_of};

/// What only the server may say of a key. A client that says one of them is refused.
const SERVER_ONLY: [(&str, Kind); 7] = [
    ("refillAmount", Kind::Number),
    ("refillInterval", Kind::Number),
    ("rateLimitMax", Kind::Number),
    ("rateLimitTimeWindow", Kind::Number),
    ("rateLimitEnabled", Kind::Boolean),
    ("remaining", Kind::Number),
    ("permissions", Kind::Permissions),
];

#[derive(Clone, Copy)]
enum Kind {
    Number,
    Boolean,
    Permissions,
}

impl Kind {
    fn fits(self, value: &Json) -> bool {
        match self {
            Self::Number => value.is_number(),
            Self::Boolean => value.is_boolean(),
            Self::Permissions => value.is_object(),
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Permissions => "record",
        }
    }
}

/// Whether something is said that only the server may say. `nullable` are the fields for which null says nothing.
pub(super) fn says_server_only(body: &mut Reader<'_>, nullable: &[&str]) -> bool {
    let sent = body.all();
    let mut found = false;
    for (field, kind) in SERVER_ONLY {
        let Some(value) = sent.get(field) else { continue };
        if value.is_null() && nullable.contains(&field) {
            continue;
        }
        found = true;
        if !kind.fits(value) {
            let (expected, received) = (kind.name(), type_of(Some(value)));
            body.add_error(field, &format!("Invalid input: expected {expected}, received {received}"));
        }
    }
    found
}

/// Seconds that a key is to live. The outer `None`: nothing was said; the inner one: for ever.
pub(super) fn read_expires_in(body: &mut Reader<'_>) -> Option<Option<Duration>> {
    match body.all().get("expiresIn")? {
        Json::Null => Some(None),
        Json::Number(number) => match number.as_f64() {
            Some(seconds) if seconds >= 1.0 => Some(Some(lasting(seconds))),
            _ => {
                body.add_error("expiresIn", "Too small: expected number to be >=1");
                None
            }
        },
        other => {
            let received = type_of(Some(other));
            body.add_error("expiresIn", &format!("Invalid input: expected number, received {received}"));
            None
        }
    }
}

/// Seconds with their fraction; more than there can be is as much as there can be.
fn lasting(seconds: f64) -> Duration {
    Duration::checked_seconds_f64(seconds).unwrap_or(Duration::MAX)
}

/// What is kept with a key; what JavaScript takes for nothing is nothing.
pub(super) fn read_metadata(body: &Reader<'_>) -> Option<Json> {
    let is_something = |value: &Json| match value {
        Json::Null | Json::Bool(false) => false,
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::String(text) => !text.is_empty(),
        _ => true,
    };
    body.all().remove("metadata").filter(is_something)
}

/// An id, which clients may send as a number.
pub(super) fn read_id(body: &Reader<'_>, field: &str) -> Option<String> {
    match body.all().remove(field)? {
        Json::String(text) => Some(text),
        other => Some(other.to_string()),
    }
}

use ciborium::Value;

use super::{Checked, Refusal};

/// How deep an answer may nest. CTAP allows four.
const DEPTH: usize = 16;

/// Takes one item off the front of some bytes and leaves what follows.
pub(super) fn take(bytes: &mut &[u8]) -> Checked<Value> {
    ciborium::de::from_reader_with_recursion_limit(bytes, DEPTH).map_err(|_| Refusal("CBOR is broken"))
}

/// A map that fills all of some bytes.
pub(super) fn map(mut bytes: &[u8]) -> Checked<Vec<(Value, Value)>> {
    match take(&mut bytes)? {
        Value::Map(entries) if bytes.is_empty() => Ok(entries),
        _ => Err(Refusal("CBOR is not one map")),
    }
}

/// The value under a key that occurs once. Of two, one reader could believe the first and another the last.
pub(super) fn only<'a>(entries: &'a [(Value, Value)], key: &Value) -> Option<&'a Value> {
    let mut found = entries.iter().filter(|(other, _)| other == key);
    let (_, value) = found.next()?;
    found.next().is_none().then_some(value)
}

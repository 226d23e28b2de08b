//! How a config value turns into JSON: to be read back, or to be looked at.

use std::cell::Cell;

use serde::Serialize;
use serde_json::Value;
use serde_path_to_error::{Segment, Serializer, Track};

use super::showing;

/// What the JSON is for. [`Hook`](super::Hook) and [`Secret`](crate::Secret) look at it while they serialise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Mode {
    /// To be read back: secrets as they are, a function is an error.
    #[default]
    Freeze,
    /// To be looked at: secrets and functions as placeholders.
    Show,
    /// To be looked at by someone who asked for the secrets.
    ShowSecrets,
}

thread_local! {
    static MODE: Cell<Mode> = const { Cell::new(Mode::Freeze) };
}

pub(crate) fn mode() -> Mode {
    MODE.get()
}

/// Serialises a value. To be read back it must be whole: the error is the dotted path of the part that refused.
pub(super) fn render<T: Serialize>(value: &T, mode: Mode) -> Result<Value, String> {
    let before = MODE.replace(mode);
    let rendered = if mode == Mode::Freeze { freeze(value) } else { Ok(showing::show(value)) };
    MODE.set(before);
    rendered
}

fn freeze<T: Serialize>(value: &T) -> Result<Value, String> {
    let mut track = Track::new();
    let result = value.serialize(Serializer::new(serde_json::value::Serializer, &mut track));
    result.map_err(|_| dotted(track))
}

fn dotted(track: Track) -> String {
    let path = track.path();
    let parts = path.iter().filter_map(|segment| match segment {
        Segment::Seq { index } => Some(index.to_string()),
        Segment::Map { key } => Some(key.clone()),
        Segment::Enum { .. } | Segment::Unknown => None,
    });
    parts.collect::<Vec<_>>().join(".")
}

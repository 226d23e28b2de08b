//! How a config value turns into JSON: to be read back, or to be looked at.

use serde::Serialize;
use serde_json::Value;
use serde_path_to_error::{Segment, Serializer, Track};

use super::mode::{self, Mode};
use super::showing;

/// Serialises a value. To be read back it must be whole: the error is the dotted path of the part that refused.
pub(super) fn render<T: Serialize>(value: &T, mode: Mode) -> Result<Value, String> {
    mode::during(mode, || if mode == Mode::Freeze { freeze(value) } else { Ok(showing::show(value)) })
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

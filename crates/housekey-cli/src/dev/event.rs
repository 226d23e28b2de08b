use std::path::PathBuf;

/// What wakes a [`Session`](super::session::Session) from its waiting.
#[derive(Debug)]
pub(crate) enum Event {
    Changed(PathBuf),
    Stop,
}

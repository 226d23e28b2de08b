/// The kind of routes whose handlers are described to clients.
#[derive(Clone, Copy, Debug)]
pub enum Typed {}

/// The kind of routes that may have any handler.
#[derive(Clone, Copy, Debug)]
pub enum Untyped {}

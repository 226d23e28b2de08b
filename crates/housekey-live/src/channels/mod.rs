//! The channels of an app: their names, and who may hear them.

mod channel;
mod definitions;
mod pattern;
mod table;

pub use channel::Channel;
pub use definitions::Channels;
pub(crate) use table::ChannelTable;

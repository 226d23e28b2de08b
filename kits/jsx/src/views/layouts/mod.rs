//! What stands around pages: the document, the room for guests, the shell for members, the settings inside it.

mod accounts;
mod app;
mod base;
mod guest;
mod settings;

pub use app::{App, Member, Section};
pub use base::Base;
pub use guest::Guest;
pub use settings::{Settings, Tab};

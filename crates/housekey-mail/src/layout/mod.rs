//! What a mail looks like: the parts, the framework's document around them, and the text version.

mod body;
mod document;
mod html;
mod parts;
mod text;

pub use html::escape;
pub use parts::MailParts;
pub(crate) use parts::is_colour;
pub(crate) use text::text;

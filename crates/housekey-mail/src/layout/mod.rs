//! What a mail looks like: the parts, the framework's document around them or one of the app's own, the text version.

mod body;
mod brand;
mod custom;
mod document;
mod html;
mod parts;
mod text;

pub use brand::Brand;
pub use custom::{Layout, layout};
pub use html::escape;
pub use parts::MailParts;
pub(crate) use parts::is_colour;
pub(crate) use text::text;

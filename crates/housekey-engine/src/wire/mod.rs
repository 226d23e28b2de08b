//! From bytes to an endpoint's input and back: content types, validation, origins, client addresses.

mod body;
mod client_address;
mod csrf;
mod incoming;
mod reader;
mod redirects;
mod reply;
mod trusted;

pub use body::{Body, Media};
pub(crate) use client_address::Addresses;
pub(crate) use csrf::{check_origin, check_sign_in_origin};
pub use incoming::{ClientAddress, Incoming};
pub use reader::{Reader, type_of};
pub(crate) use redirects::{check_callback, check_redirects, check_target, may_redirect};
pub use reply::Reply;
pub(crate) use trusted::Origins;

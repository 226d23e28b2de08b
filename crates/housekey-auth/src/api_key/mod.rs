//! The API key that the present request came with.
//!
//! A guard looks for it ([`auth:api-key`, `api-key:project.read`](crate::guards)) and counts one use, however many guards ask. Where no
//! guard does, a key in a request means nothing.

mod accessor;
pub(crate) mod present;

pub use accessor::{api_key, require_api_key};
pub use housekey_engine::plugins::api_key::{KeyOwner, VerifiedKey};

/// The code of the answer to a key that does not allow what a route asks for.
pub(crate) const PERMISSION_REQUIRED: &str = "API_KEY_PERMISSION_REQUIRED";

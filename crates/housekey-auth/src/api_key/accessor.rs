use std::sync::Arc;

use housekey_core::{Error, Result};

use super::{VerifiedKey, present};

/// The API key that the present request came with, and whose it is: behind a guard that looked for one.
///
/// ```
/// use housekey_auth::api_key;
///
/// fn caller() -> String {
///     match api_key() {
///         Some(shown) => format!("the key {}", shown.key.name.as_deref().unwrap_or("without a name")),
///         None => "somebody without a key".to_owned(),
///     }
/// }
/// # assert_eq!(caller(), "somebody without a key");
/// ```
// spec: KEY-4
pub fn api_key() -> Option<Arc<VerifiedKey>> {
    present::known()
}

/// The API key of the present request, or an error that answers 401.
pub fn require_api_key() -> Result<Arc<VerifiedKey>> {
    api_key().ok_or_else(Error::unauthenticated)
}

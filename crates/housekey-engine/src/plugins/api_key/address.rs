use percent_encoding::percent_decode_str;

use super::{KEY_IN_ADDRESS, has_checksum};
use crate::{Api, Result};

/// The longest text that is looked at.
const LONGEST: usize = 256;

/// Whether an API key is in the query of an address: by the name of a parameter (`api_key`, `apiKey`, `x-api-key`) or by the
/// [checksum](has_checksum) of its value. Addresses are kept by proxies, logs and browsers; a key that stood in one is known to all of them.
///
/// ```
/// use housekey_engine::plugins::api_key::has_key_in_query;
///
/// assert!(has_key_in_query("page=2&api%5Fkey=anything"));
/// assert!(!has_key_in_query("page=2"));
/// ```
pub fn has_key_in_query(query: &str) -> bool {
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let parameters = query.split('&').filter_map(|pair| pair.split_once('='));
    parameters.map(|(name, value)| (decoded(name), decoded(value))).any(|(name, value)| is_key(&name, &value))
}

/// Refuses a request to the engine with a key in its address.
// spec: KEY-4
pub(super) fn check(api: &Api) -> Result<()> {
    let query = api.request().read_query().all();
    let has_key = query.iter().any(|(name, value)| {
        let values = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
        values.iter().filter_map(|value| value.as_str()).any(|value| is_key(name, value))
    });
    if has_key { Err(KEY_IN_ADDRESS.bad_request()) } else { Ok(()) }
}

fn is_key(name: &str, value: &str) -> bool {
    let letters = name.chars().take(LONGEST).filter(|c| !matches!(c, '-' | '_'));
    let plain: String = letters.map(|c| c.to_ascii_lowercase()).collect();
    let is_named = matches!(plain.as_str(), "apikey" | "xapikey");
    (is_named && !value.is_empty()) || (value.len() <= LONGEST && has_checksum(value))
}

use serde::{Deserialize, Serialize};

/// What a throttled route does while the cache cannot be reached.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum WhenUnavailable {
    /// Answers 503 with `Retry-After`.
    #[default]
    Refuse,
    /// Lets the request pass uncounted.
    Allow,
}

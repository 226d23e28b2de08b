use std::fmt;

use super::EngineOptions;

/// Fewer characters than this are too few for a secret.
pub const SHORTEST_SECRET: usize = 32;

/// Why a secret does not protect anything. Printed, it ends a sentence: `the secret is not set`.
///
/// ```
/// use housekey_engine::options::EngineOptions;
///
/// let options = EngineOptions { secret: "short".into(), ..Default::default() };
/// assert_eq!(options.weak_secret().unwrap().to_string(), "has 5 characters");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WeakSecret {
    length: usize,
}

impl WeakSecret {
    /// Whether there is no secret at all.
    pub fn is_missing(self) -> bool {
        self.length == 0
    }
}

impl fmt::Display for WeakSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.length {
            0 => f.write_str("is not set"),
            1 => f.write_str("has 1 character"),
            length => write!(f, "has {length} characters"),
        }
    }
}

impl EngineOptions {
    /// What is wrong with the secret that counts: the newest of `secrets`, or else `secret`. An engine for production is
    /// not built with such a one.
    pub fn weak_secret(&self) -> Option<WeakSecret> {
        let current = self.secrets.first().map_or(&self.secret, |newest| &newest.value);
        let length = current.reveal().chars().count();
        (length < SHORTEST_SECRET).then_some(WeakSecret { length })
    }
}

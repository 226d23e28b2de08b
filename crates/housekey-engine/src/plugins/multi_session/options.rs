#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiSessionOptions {
    /// How many accounts a browser keeps. Whoever signs in beyond that is signed in, and signed out when another account
    /// of the browser becomes the active one.
    pub maximum_sessions: usize,
}

impl Default for MultiSessionOptions {
    fn default() -> Self {
        Self { maximum_sessions: 5 }
    }
}

/// The options of the plugin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MultiSessionOptions {
    /// How many accounts a browser keeps. Whoever signs in beyond that is signed in, and not kept when somebody else signs in.
    pub maximum_sessions: usize,
}

impl Default for MultiSessionOptions {
    fn default() -> Self {
        Self { maximum_sessions: 5 }
    }
}

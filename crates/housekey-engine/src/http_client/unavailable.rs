/// What happens while somebody else's service cannot be asked: it does not answer, takes too long or says nonsense. A plugin
/// that asks one has it among its options.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum WhenUnavailable {
    /// Nobody gets further, as in the reference.
    #[default]
    Refuse,
    /// Everybody gets further, and the log says so. Whoever can keep the service from answering then does without it.
    Allow,
}

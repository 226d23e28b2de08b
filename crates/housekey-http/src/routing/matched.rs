use super::methods::Methods;
use super::pattern::Pattern;

/// What a request knows of the route that it found. Plain data: the context of a request depends on nothing that answers it.
pub(crate) struct MatchedRoute {
    pub(crate) methods: Methods,
    pub(crate) pattern: Pattern,
    pub(crate) name: Option<String>,
    pub(crate) csrf: CsrfCheck,
    pub(crate) sensitive: bool,
    pub(crate) is_fallback: bool,
}

impl MatchedRoute {
    /// Whether cookies may say who sent a request to it.
    pub(crate) fn believes_cookies(&self) -> bool {
        self.csrf != CsrfCheck::Nobody
    }
}

/// Who makes sure that a write was meant by the visitor whose cookies come with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum CsrfCheck {
    /// We do, by the token of the session.
    #[default]
    Token,
    /// The handler does.
    Handler,
    /// Nobody does, so cookies do not count.
    Nobody,
}

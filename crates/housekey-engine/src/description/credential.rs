use std::borrow::Cow;

/// A way in which a request says who sends it, beside the session's cookie.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Credential {
    /// `authorization: Bearer …`, with a word about what stands there.
    Bearer(Cow<'static, str>),
    /// A header of this name, with a word about what stands there.
    Header(Cow<'static, str>, Cow<'static, str>),
}

use serde_json::Value;

/// A part of a provider that can fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Part {
    Discovery,
    Token,
    Keys,
    UserInfo,
}

impl Part {
    pub(crate) const ALL: [Self; 4] = [Self::Discovery, Self::Token, Self::Keys, Self::UserInfo];
}

/// How it fails.
#[derive(Clone, Debug)]
pub(crate) enum Fault {
    /// Answers with this status and a page.
    Status(u16),
    /// Answers 200 with something that is no JSON.
    Garbage,
    /// Answers 200 with JSON that is something else.
    Json(Value),
    /// Sends the client elsewhere.
    Redirect,
    /// Cannot be reached.
    Unreachable,
    /// Takes the request and never answers.
    Hangs,
}

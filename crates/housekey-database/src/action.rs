/// What happens to a row when the one it refers to changes or goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Action {
    /// The change is refused.
    #[default]
    NoAction,
    /// The change is refused, at once.
    Restrict,
    /// The row follows.
    Cascade,
    SetNull,
    SetDefault,
}

impl Action {
    pub(crate) fn sql(self) -> &'static str {
        match self {
            Self::NoAction => "no action",
            Self::Restrict => "restrict",
            Self::Cascade => "cascade",
            Self::SetNull => "set null",
            Self::SetDefault => "set default",
        }
    }

    /// From the words of the catalogues, or PostgreSQL's letters.
    pub(crate) fn parse(text: &str) -> Self {
        match text.to_ascii_lowercase().as_str() {
            "cascade" | "c" => Self::Cascade,
            "set null" | "n" => Self::SetNull,
            "set default" | "d" => Self::SetDefault,
            "restrict" | "r" => Self::Restrict,
            _ => Self::NoAction,
        }
    }
}

use super::reserved::RESERVED;
use crate::Callback;
use crate::options::ModelNames;

/// The longest name that its column holds.
const LONGEST: usize = 255;

#[derive(Clone, Debug)]
pub struct UsernameOptions {
    pub min_username_length: usize,
    pub max_username_length: usize,
    /// Says which names may be, instead of the rule that they are made of `a` to `z`, `A` to `Z`, digits, `_` and `.`. A name with
    /// other letters is looked at beside: one that mixes scripts, or looks like a name in plain letters, is refused whatever this
    /// says.
    pub username_validator: Callback<String, bool>,
    /// Whether `Ada` and `ada` are one name, stored in lower case.
    pub username_normalization: bool,
    /// Whether names are kept as they were typed too.
    pub display_username: bool,
    /// Says what may be shown, instead of the rule that it is the name in any case: what people see must not be another's name, a
    /// reserved one or one that looks like it.
    pub display_username_validator: Callback<String, bool>,
    /// Whether whoever has a name keeps it.
    pub immutable_username: bool,
    /// Names that nobody can take, in lower case: `.`, `_` and `-` do not make another name of one. The usual ones when unset;
    /// an app extends them by its own, such as the first parts of its paths.
    ///
    /// ```
    /// use housekey_engine::plugins::UsernameOptions;
    ///
    /// let mut options = UsernameOptions::default();
    /// options.reserved.extend(["pricing".to_owned(), "acme".to_owned()]);
    /// ```
    pub reserved: Vec<String>,
    /// Who may ask whether a name is free.
    pub availability: Availability,
    /// Other names for the columns.
    pub schema: ModelNames,
}

impl Default for UsernameOptions {
    fn default() -> Self {
        Self {
            min_username_length: 3,
            max_username_length: 30,
            username_validator: Callback::unset(),
            username_normalization: true,
            display_username: true,
            display_username_validator: Callback::unset(),
            immutable_username: false,
            reserved: RESERVED.map(str::to_owned).to_vec(),
            availability: Availability::default(),
            schema: ModelNames::new(),
        }
    }
}

impl UsernameOptions {
    pub(super) fn problem(&self) -> Option<&'static str> {
        if self.min_username_length > self.max_username_length {
            return Some("the shortest username is longer than the longest");
        }
        (self.max_username_length > LONGEST)
            .then_some("a username of more than 255 characters has no place in its column")
    }
}

/// Who may ask whether a name is free. Whoever signs up or changes their name learns it in any case, one name at a time and under
/// the limits of those endpoints.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Availability {
    /// Everybody, under a limit of its own: a form can tell before it is sent, as with the reference.
    #[default]
    Everyone,
    /// Whoever is signed in, and not anonymously. Who signs up is told by the form they send.
    SignedIn,
    /// Nobody: there is no such endpoint. Server code may ask.
    Nobody,
}

use crate::Callback;
use crate::options::ModelNames;

#[derive(Clone, Debug)]
pub struct LastLoginMethodOptions {
    /// The whole name of the cookie.
    pub cookie_name: String,
    /// Seconds that it lives.
    pub max_age: u32,
    /// Names the method of a sign-in; with `None` the plugin does.
    pub resolve_method: Callback<Login, Option<String>>,
    /// Whether it is kept with the user too, in a column `lastLoginMethod`.
    pub store_in_database: bool,
    /// Another name for the column.
    pub schema: ModelNames,
}

impl Default for LastLoginMethodOptions {
    fn default() -> Self {
        Self {
            cookie_name: "better-auth.last_used_login_method".into(),
            max_age: 2_592_000,
            resolve_method: Callback::unset(),
            store_in_database: false,
            schema: ModelNames::new(),
        }
    }
}

/// A sign-in whose method is to be named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Login {
    /// As events call it: `password`, `social`, `passkey`.
    pub method: Option<&'static str>,
    /// The provider, if it was one.
    pub provider: Option<String>,
    /// The path of the endpoint, below the base path.
    pub path: String,
}

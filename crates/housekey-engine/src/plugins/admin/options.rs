use std::fmt;

use crate::access::{AccessControl, Statements};
use crate::options::ModelNames;
use crate::{Callback, User};

#[derive(Clone, Debug)]
pub struct AdminOptions {
    /// The role of everybody who is created without one.
    pub default_role: String,
    /// Roles whose people are admins: nobody acts as them, nobody else changes them, and one of them is always left. Each must
    /// be a role of [`access`](Self::access), which says what they may do.
    pub admin_roles: Vec<String>,
    /// Users who are admins and may do everything, whatever their role.
    pub admin_user_ids: Vec<String>,
    /// What there is to be allowed, and which role allows what. Unset: `admin` may do everything but act as another admin,
    /// `user` nothing, and any other name may be given to somebody and allows nothing. Set: no other names may be given.
    pub access: Option<AccessControl>,
    /// Why, when nobody says why.
    pub default_ban_reason: Option<String>,
    /// Seconds that a ban lasts when nobody says how long; for good when unset.
    pub default_ban_expires_in: Option<u32>,
    /// What somebody who is banned is told.
    pub banned_user_message: BannedMessage,
    /// Seconds that an admin may act as somebody else before that ends by itself.
    pub impersonation_session_duration: u32,
    /// Whether whoever may act as others may also act as admins.
    pub allow_impersonating_admins: bool,
    /// Other names for the plugin's columns of `user` and `session`.
    pub schema: ModelNames,
}

impl Default for AdminOptions {
    fn default() -> Self {
        Self {
            default_role: "user".into(),
            admin_roles: vec!["admin".into()],
            admin_user_ids: Vec::new(),
            access: None,
            default_ban_reason: None,
            default_ban_expires_in: None,
            banned_user_message: BannedMessage::default(),
            impersonation_session_duration: 3600,
            allow_impersonating_admins: false,
            schema: ModelNames::new(),
        }
    }
}

/// What somebody who is banned is told.
#[derive(Clone)]
pub enum BannedMessage {
    /// Everybody the same.
    Text(String),
    /// What a function makes of the user.
    Function(Callback<User, String>),
}

impl BannedMessage {
    const USUAL: &str =
        "You have been banned from this application. Please contact support if you believe this is an error.";

    /// The message for a user.
    pub(super) async fn of(&self, user: &User) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Function(function) => match function.call(user.clone()).await {
                Some(Ok(text)) => text,
                Some(Err(error)) => {
                    tracing::error!(%error, "the message for a banned user could not be made");
                    Self::USUAL.to_owned()
                }
                None => Self::USUAL.to_owned(),
            },
        }
    }
}

impl Default for BannedMessage {
    fn default() -> Self {
        Self::Text(Self::USUAL.to_owned())
    }
}

impl fmt::Debug for BannedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Text(text) => text.fmt(f),
            Self::Function(_) => f.write_str("a function"),
        }
    }
}

impl AdminOptions {
    const USER: [&str; 13] = [
        "create",
        "list",
        "set-role",
        "ban",
        "impersonate",
        "impersonate-admins",
        "delete",
        "set-password",
        "set-email",
        "set-phone",
        "reset-two-factor",
        "get",
        "update",
    ];
    const SESSION: [&str; 3] = ["list", "revoke", "delete"];

    /// What the plugin asks for: the statements to build an access control of one's own on.
    ///
    /// ```
    /// use housekey_engine::access::{AccessControl, Statements};
    /// use housekey_engine::plugins::AdminOptions;
    ///
    /// let access = AccessControl::new(AdminOptions::statements())
    ///     .role("admin", AdminOptions::admin_statements())
    ///     .unwrap()
    ///     .role("support", Statements::new().with("user", ["list", "get"]))
    ///     .unwrap();
    /// let options = AdminOptions { access: Some(access), ..Default::default() };
    /// # let _ = options;
    /// ```
    pub fn statements() -> Statements {
        Statements::new().with("user", Self::USER).with("session", Self::SESSION)
    }

    /// What the role `admin` allows unless the options say otherwise: everything but acting as another admin.
    pub fn admin_statements() -> Statements {
        let most = Self::USER.into_iter().filter(|action| *action != "impersonate-admins");
        Statements::new().with("user", most).with("session", Self::SESSION)
    }

    /// What cannot be meant.
    pub(super) fn problem(&self) -> Option<String> {
        let known = |role: &&String| match &self.access {
            Some(access) => access.find(role).is_some(),
            None => ["admin", "user"].contains(&role.as_str()),
        };
        let unknown = self.admin_roles.iter().find(|role| !known(role))?;
        Some(format!("`admin_roles` names `{unknown}`, which is no role of `access`; define it there"))
    }
}

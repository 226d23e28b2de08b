use std::sync::Arc;

use super::{Api, ChallengeHook, UserFields};
use crate::{BoxFuture, Changes, Record, Result, Secret, SignedIn, User};

/// Asked about a user before a session begins for them, whatever they proved, and again when one of theirs is found.
pub(crate) type SessionGuard =
    Arc<dyn for<'a> Fn(&'a Api, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Asked about a password before it becomes somebody's.
pub(crate) type PasswordCheckHook =
    Arc<dyn for<'a> Fn(&'a Api, &'a Secret) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Asked before a user is deleted.
pub(crate) type RemovalGuard =
    Arc<dyn for<'a> Fn(&'a Api, &'a mut Changes, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Asked for fields of a session that begins, by the id of its user.
pub(crate) type SessionFields =
    Arc<dyn for<'a> Fn(&'a Api, &'a str) -> BoxFuture<'a, Result<Record>> + Send + Sync>;

/// Asked about fields of a user that somebody wants to set.
pub(crate) type UserFieldsHook =
    Arc<dyn for<'a> Fn(&'a Api, &'a mut UserFields) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Called when a client signs out, before its session ends.
pub(crate) type SignOutHook = Arc<dyn for<'a> Fn(&'a mut Api) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Says whether the session that a client came with outlives the sign-in of the user with an id.
pub(crate) type KeepsSession = Arc<dyn Fn(&SignedIn, &str) -> bool + Send + Sync>;

/// Called in place of sending the link that proves the address of a user.
pub(crate) type VerificationMail =
    Arc<dyn for<'a> Fn(&'a Api, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Called when the password of a user is replaced.
pub(crate) type MailedWaysIn =
    Arc<dyn for<'a> Fn(&'a Api, &'a mut Changes, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Where plugins have a say while a call runs.
#[derive(Default)]
pub(crate) struct PluginHooks {
    /// What may ask for more between correct credentials and a session.
    pub(crate) challenges: Vec<ChallengeHook>,
    /// What may become a password.
    pub(crate) password_checks: Vec<PasswordCheckHook>,
    /// Who may have a session.
    pub(crate) session_guards: Vec<SessionGuard>,
    /// Who may be deleted.
    pub(crate) removal_guards: Vec<RemovalGuard>,
    /// What is to stand in a session that begins.
    pub(crate) session_fields: Vec<SessionFields>,
    /// What may become of a user.
    pub(crate) user_fields: Vec<UserFieldsHook>,
    /// What else ends when a client signs out.
    pub(crate) sign_outs: Vec<SignOutHook>,
    /// Which sessions a sign-in leaves alone.
    pub(crate) keeps_session: Vec<KeepsSession>,
    /// What proves an address in place of a link.
    pub(crate) verification_mails: Vec<VerificationMail>,
    /// What was mailed and ends with a password.
    pub(crate) mailed_ways_in: Vec<MailedWaysIn>,
}

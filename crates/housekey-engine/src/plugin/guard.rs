use std::sync::Arc;

use crate::{Api, BoxFuture, Changes, Record, Result, User};

/// Asked about a user before a session begins for them, whatever they proved, and again when one of theirs is found.
pub(crate) type SessionGuard =
    Arc<dyn for<'a> Fn(&'a Api, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Asked before a user is deleted.
pub(crate) type RemovalGuard =
    Arc<dyn for<'a> Fn(&'a Api, &'a mut Changes, &'a User) -> BoxFuture<'a, Result<()>> + Send + Sync>;

/// Asked for fields of a session that begins, by the id of its user.
pub(crate) type SessionFields =
    Arc<dyn for<'a> Fn(&'a Api, &'a str) -> BoxFuture<'a, Result<Record>> + Send + Sync>;

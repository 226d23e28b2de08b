use std::sync::Arc;

use super::Api;
use crate::{BoxFuture, Record, Result, User};

/// What a client is told instead of getting a session: show more than a password.
#[derive(Clone, Debug, PartialEq)]
pub struct Challenge {
    pub body: Record,
}

/// Asks for more, or does not. Cookies that it needs are set through the [`Api`].
pub type ChallengeHook =
    Arc<dyn for<'a> Fn(&'a mut Api, &'a User) -> BoxFuture<'a, Result<Option<Challenge>>> + Send + Sync>;

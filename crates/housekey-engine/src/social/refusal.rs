//! Why somebody who comes from a provider is sent back, in the reference's codes.

use crate::storage::StorageError;
use crate::{ApiError, User};

/// A refusal on the way from the provider to a session.
#[derive(Debug)]
pub(crate) enum Refusal {
    Code(CodedRefusal),
    /// What the app, a hook or the storage said.
    Error(ApiError),
}

/// A refusal with a code of the reference.
#[derive(Debug)]
pub(crate) struct CodedRefusal {
    /// `account_not_linked`.
    pub(crate) code: &'static str,
    /// For the log.
    pub(crate) why: &'static str,
    /// Whose account it is about, where that is known.
    pub(crate) user_id: Option<String>,
}

impl Refusal {
    pub(crate) fn code(code: &'static str, why: &'static str) -> Self {
        Self::Code(CodedRefusal { code, why, user_id: None })
    }

    pub(crate) fn about(user: &User, code: &'static str, why: &'static str) -> Self {
        Self::Code(CodedRefusal { code, why, user_id: Some(user.id.clone()) })
    }
}

impl From<ApiError> for Refusal {
    fn from(error: ApiError) -> Self {
        Self::Error(error)
    }
}

impl From<StorageError> for Refusal {
    fn from(error: StorageError) -> Self {
        Self::Error(error.into())
    }
}

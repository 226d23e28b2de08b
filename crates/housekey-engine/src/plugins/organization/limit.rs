use super::{Limit, LimitQuestion, Organization};
use crate::{ApiError, Result, User};

impl Limit {
    /// How many there may be; `None` for any number.
    pub(super) async fn number(
        &self,
        user: Option<&User>,
        organization: Option<&Organization>,
    ) -> Result<Option<u64>> {
        match self {
            Self::None => Ok(None),
            Self::Number(number) => Ok(Some(u64::from(*number))),
            Self::Function(function) => {
                let question = LimitQuestion { user: user.cloned(), organization: organization.cloned() };
                match function.call(question).await {
                    Some(Ok(number)) => Ok(Some(u64::from(number))),
                    Some(Err(error)) => Err(ApiError::internal("a limit of organisations is unknown", error)),
                    None => Ok(None),
                }
            }
        }
    }
}

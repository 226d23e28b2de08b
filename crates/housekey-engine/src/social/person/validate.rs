use http::StatusCode;

use super::{Outcome, ProviderIdentity, image, name};
use crate::options::UserInfoCheck;
use crate::{Api, ApiError, Record};

impl Api {
    /// Asks the app whether somebody may go on.
    pub(super) async fn validate(
        &self,
        identity: ProviderIdentity<'_>,
        action: &'static str,
        email: &str,
    ) -> Outcome<()> {
        let callback = &self.options().user.validate_user_info;
        if !callback.is_set() {
            return Ok(());
        }
        let profile = &identity.profile.user;
        let mut user = Record::new()
            .with("name", name(profile.name.as_deref()).unwrap_or_default())
            .with("email", email)
            .with("emailVerified", profile.email_verified)
            .with("image", image(profile.image.as_deref()));
        user.merge(self.mapped_input("user", &profile.extra)?);
        let check = UserInfoCheck {
            user,
            action,
            provider_id: identity.ready.provider.id.clone(),
            profile: identity.profile.data.clone(),
        };
        match callback.call(check).await {
            None | Some(Ok(None)) => Ok(()),
            Some(Ok(Some(refusal))) => {
                let message = refusal.error_description.unwrap_or_default();
                Err(ApiError::new(StatusCode::FORBIDDEN, refusal.error, message).into())
            }
            Some(Err(error)) => Err(match error.downcast::<ApiError>() {
                Ok(error) => (*error).into(),
                Err(error) => ApiError::internal("user.validateUserInfo failed", error).into(),
            }),
        }
    }
}

use housekey::auth::api;
use housekey::auth::engine::{ChangeEmailTo, UpdateUser};
use housekey::prelude::*;

use crate::requests::settings::{EmailRequest, ProfileRequest};

/// `POST /settings/profile`
pub async fn update(Valid(form): Valid<ProfileRequest>) -> Result<Redirect> {
    api()?.update_user(UpdateUser { name: Some(form.name), ..Default::default() }).await.refuse_at("name")?;
    Ok(back().with("status", t("Saved.", &[])))
}

/// `POST /settings/profile/email`: at once for an address that was never confirmed; otherwise its holder is asked first.
pub async fn change_email(
    CurrentUser(user): CurrentUser,
    Valid(form): Valid<EmailRequest>,
) -> Result<Redirect> {
    let new_email = form.email.to_lowercase();
    let input = ChangeEmailTo { new_email: new_email.clone(), callback_url: None };
    api()?.change_email(input).await.refuse_at("email")?;
    if !user.email_verified {
        return Ok(back().with("status", t("Your address is changed.", &[])));
    }
    pending_email::remember(&user.id, &new_email).await?;
    let message = t("Open the link that we sent to :email to go on.", &[("email", &user.email)]);
    Ok(back().with("status", message))
}

/// `DELETE /settings/profile/email`: the change is no longer shown as under way. The link in the mail stays valid until it
/// expires; whoever does not open it changes nothing.
pub async fn cancel_email(CurrentUser(user): CurrentUser) -> Result<Redirect> {
    pending_email::forget(&user.id).await?;
    Ok(back().with("status", t("The address stays as it is.", &[])))
}

/// The address an account is moving to, remembered for as long as the link in the mail lives.
pub mod pending_email {
    use std::time::Duration;

    use housekey::prelude::*;

    const LIFE: Duration = Duration::from_secs(60 * 60);

    pub async fn remember(user: &str, email: &str) -> Result<()> {
        cache()?.put(&key(user), email, Some(LIFE)).await
    }

    pub async fn of(user: &str) -> Result<Option<String>> {
        cache()?.get(&key(user)).await
    }

    pub async fn forget(user: &str) -> Result<()> {
        cache()?.forget(&key(user)).await.map(drop)
    }

    fn key(user: &str) -> String {
        format!("pending-email:{user}")
    }
}

use housekey::auth::guards::intended;
use housekey::prelude::*;

/// `POST /api/signed-in`: where a passkey leads, whose ceremony knows nothing of pages. Answers with what the guest wanted
/// to see, and forgets it.
pub async fn store() -> Result<Redirect> {
    intended(&route("dashboard")?).await
}

use housekey::auth::guards::intended;
use housekey::prelude::*;

use crate::controllers::auth::last_used::remember;

/// `POST /api/signed-in`: where a passkey leads, whose ceremony knows nothing of pages. Answers with what the guest wanted
/// to see, and forgets it.
pub async fn store() -> Result<Redirect> {
    remember("passkey");
    intended(&route("dashboard")?).await
}

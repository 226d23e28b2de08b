use serde_json::json;

use crate::{Api, Endpoint, Reply, Result};

/// `POST /revoke-session`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/revoke-session", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let token = body.text("token");
    body.finish()?;
    api.revoke_session(&token).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Ends one of one's own sessions. A token that is unknown or someone else's has no effect and is not told apart.
    pub async fn revoke_session(&mut self, token: &str) -> Result<()> {
        let signed_in = self.require_stored_session().await?;
        self.end_session(token, Some(&signed_in.user.id)).await.map(drop)
    }
}

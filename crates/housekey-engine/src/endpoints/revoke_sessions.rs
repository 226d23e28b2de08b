use serde_json::json;

use crate::{Api, Endpoint, Reply, Result, Shape};

/// `POST /revoke-sessions`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/revoke-sessions", |api| Box::pin(answer(api)))
        .about("Ends all of one's own sessions, this one included.")
        .answers(Shape::status())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    api.revoke_sessions().await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Ends all of one's own sessions, this one included.
    pub async fn revoke_sessions(&mut self) -> Result<()> {
        let signed_in = self.require_stored_session().await?;
        self.end_sessions_of(&signed_in.user.id, None).await
    }
}

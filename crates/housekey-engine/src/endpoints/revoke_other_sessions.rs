use serde_json::json;

use crate::{Api, Endpoint, Reply, Result, Shape};

/// `POST /revoke-other-sessions`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/revoke-other-sessions", |api| Box::pin(answer(api)))
        .about("Ends all of one's own sessions but this one.")
        .answers(Shape::status())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    api.revoke_other_sessions().await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Ends all of one's own sessions but this one.
    pub async fn revoke_other_sessions(&mut self) -> Result<()> {
        let signed_in = self.require_stored_session().await?;
        self.end_sessions_of(&signed_in.user.id, Some(&signed_in.session.token)).await
    }
}

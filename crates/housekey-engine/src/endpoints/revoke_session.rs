use serde_json::json;

use crate::models::Commit;
use crate::storage::Filter;
use crate::{Api, Endpoint, Field, Reply, Result, SecurityEventKind, Shape};

/// `POST /revoke-session`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/revoke-session", |api| Box::pin(answer(api)))
        .about(
            "Ends one of one's own sessions. One that is unknown or somebody else's has no effect \
             and is not told apart.",
        )
        .takes([Field::text("token").about("What the list of sessions told.")])
        .answers(Shape::status())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let token = body.text("token");
    body.finish()?;
    api.revoke_session(&token).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Ends one of one's own sessions, by its token or by its id, which is what a list of them tells. One that is unknown or
    /// someone else's has no effect and is not told apart.
    pub async fn revoke_session(&mut self, token_or_id: &str) -> Result<()> {
        let signed_in = self.require_stored_session().await?;
        let mut ended = self.end_session(token_or_id, Some(&signed_in.user.id)).await?;
        if !ended {
            let mut changes = self.changes();
            let own = Filter::by("id", token_or_id).and_by("userId", &signed_in.user.id);
            changes.delete_expecting("session", own).await?;
            ended = changes.commit().await? == Commit::Done;
        }
        if ended {
            self.emit(self.event(SecurityEventKind::SessionRevoked, Some(&signed_in.user.id))).await;
        }
        Ok(())
    }
}

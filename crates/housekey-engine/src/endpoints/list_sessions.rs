use crate::storage::{Comparison, Direction, Filter, Find};
use crate::{Api, Endpoint, Reply, Result, Session};

/// `GET /list-sessions`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/list-sessions", |api| Box::pin(answer(api)))
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let signed_in = api.require_fresh_session().await?;
    let sessions = api.sessions_of(&signed_in.user.id).await?;
    let views = sessions.iter().map(|session| api.session_view(session)).collect::<Result<Vec<_>>>()?;
    Reply::json(&views)
}

impl Api {
    /// The living sessions of a user, the oldest first.
    pub async fn sessions_of(&self, user_id: &str) -> Result<Vec<Session>> {
        let living =
            Filter::by("userId", user_id).and("expiresAt", Comparison::Greater, self.core.clock.now());
        let find = Find::new(living).order("createdAt", Direction::Ascending);
        let rows = self.core.storage.find(self.core.table("session")?, &find).await?;
        rows.into_iter().map(Session::from_record).collect()
    }
}

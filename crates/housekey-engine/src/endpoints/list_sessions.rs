use crate::storage::{Comparison, Direction, Filter, Find};
use crate::{Api, Endpoint, Reply, Result, Session, Shape};

/// `GET /list-sessions`. The tokens of other sessions are not told: what stands in their place is good for
/// [`/revoke-session`](Api::revoke_session) only.
// spec: SEC-10
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/list-sessions", |api| Box::pin(answer(api)))
        .about(
            "Lists the sessions of whoever is signed in. In place of another session's token \
             stands its id, which ends it as well.",
        )
        .answers(Shape::list(Shape::row("session")))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let signed_in = api.require_fresh_session().await?;
    let mut sessions = api.sessions_of(&signed_in.user.id).await?;
    // As in the reference: a person is shown their own sign-ins. That an admin acts as them is an event.
    sessions.retain(|session| session.impersonated_by().is_none());
    for other in sessions.iter_mut().filter(|session| session.token != signed_in.session.token) {
        // Whoever knows a token is that session. Its id ends it too, and is worth nothing else.
        other.token.clone_from(&other.id);
    }
    let views = sessions.iter().map(|session| api.session_view(session)).collect::<Result<Vec<_>>>()?;
    Reply::json(&views)
}

impl Api {
    /// The living sessions of a user, the oldest first.
    pub async fn sessions_of(&self, user_id: &str) -> Result<Vec<Session>> {
        let find = Find::new(self.living_sessions_of(user_id)).order("createdAt", Direction::Ascending);
        let rows = self.core.storage.find(self.core.table("session")?, &find).await?;
        rows.into_iter().map(Session::from_record).collect()
    }

    /// How many living sessions a user has.
    pub async fn count_sessions_of(&self, user_id: &str) -> Result<u64> {
        let living = self.living_sessions_of(user_id);
        Ok(self.core.storage.count(self.core.table("session")?, &living).await?)
    }

    fn living_sessions_of(&self, user_id: &str) -> Filter {
        Filter::by("userId", user_id).and("expiresAt", Comparison::Greater, self.core.clock.now())
    }
}

use std::sync::Arc;

use http::StatusCode;
use serde::Serialize;

use crate::models::{Changes, Commit, SessionView};
use crate::storage::Filter;
use crate::{
    Api, ApiError, Columns, Endpoint, Field, Record, Reply, Result, Session, Shape, SignedIn, codes,
};

/// `POST /update-session`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/update-session", |api| Box::pin(answer(api)))
        .about("Changes columns of the app's own on this session.")
        .takes_columns("session", Columns::Change)
        .answers(Shape::object([Field::row("session", "session")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        session: SessionView<'a>,
    }
    let body = api.request().read_body().shaped(&["record"]);
    let fields = body.all();
    body.finish()?;
    api.require_stored_session().await?;
    let fields = api.additional_input("session", &fields, false)?;
    let session = api.update_session(fields).await?;
    Reply::json(&Body { session: api.session_view(&session)? })
}

impl Api {
    /// Changes columns of the app's own on this session.
    pub async fn update_session(&mut self, mut fields: Record) -> Result<Session> {
        if fields.is_empty() {
            return Err(ApiError::message_only(StatusCode::BAD_REQUEST, "No fields to update"));
        }
        let core = Arc::clone(&self.core);
        let signed_in = self.require_stored_session().await?;
        fields.set("updatedAt", core.clock.now());
        let mut record = signed_in.session.to_record();
        record.merge(fields.clone());
        let session = Session::from_record(record)?;
        let mut changes = Changes::new(&core);
        changes.update_expecting("session", Filter::by("token", &session.token), fields).await?;
        if changes.commit().await? == Commit::Lost {
            return Err(codes::UNAUTHORIZED.unauthorized());
        }
        let signed_in = Arc::new(SignedIn::new(session.clone(), signed_in.user.clone()));
        let forgotten = self.is_forgotten();
        self.hand_out(&signed_in, forgotten).await;
        Ok(session)
    }
}

use std::sync::Arc;

use http::StatusCode;
use serde_json::{Value as Json, json};

use crate::models::{Changes, Commit};
use crate::storage::Filter;
use crate::{
    Api, ApiError, Columns, Endpoint, Field, FieldsOrigin, Record, Reply, Result, Shape, SignedIn, User,
    UserFields, codes,
};

/// Changes to one's own user. Unset fields stay as they are.
#[derive(Clone, Debug, Default)]
pub struct UpdateUser {
    pub name: Option<String>,
    /// Another picture; `Some(None)` takes it away.
    pub image: Option<Option<String>>,
    /// Columns of plugins and of the app's own.
    pub fields: Record,
}

/// `POST /update-user`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/update-user", |api| Box::pin(answer(api)))
        .about(
            "Changes whoever is signed in. What is left out stays as it is; the address is not \
             changed here.",
        )
        .takes([
            Field::text("name").optional(),
            Field::url("image").or_null().optional().about("null takes the picture away."),
        ])
        .takes_columns("user", Columns::Change)
        .answers(Shape::status())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body().shaped(&["record"]);
    let fields = body.all();
    let input = UpdateUser {
        name: body.optional_text("name"),
        image: fields.contains_key("image").then(|| body.nullable_text("image")),
        fields: Record::new(),
    };
    body.finish()?;
    api.require_stored_session().await?;
    if fields.get("email").is_some_and(is_truthy) {
        return Err(codes::EMAIL_CAN_NOT_BE_UPDATED.bad_request());
    }
    let fields = api.additional_input("user", &fields, false)?;
    api.update_user(UpdateUser { fields, ..input }).await?;
    Reply::json(&json!({ "status": true }))
}

impl Api {
    /// Changes the user who is signed in. An address is not changed this way.
    pub async fn update_user(&mut self, input: UpdateUser) -> Result<User> {
        if input.fields.is_empty() && input.name.is_none() && input.image.is_none() {
            return Err(ApiError::message_only(StatusCode::BAD_REQUEST, "No fields to update"));
        }
        let signed_in = self.require_stored_session().await?;
        let asked = UserFields {
            user: Some(User::clone(&signed_in.user)),
            email: signed_in.user.email.clone(),
            fields: input.fields,
            origin: FieldsOrigin::Person,
        };
        let mut record = self.check_user_fields(asked.clone()).await?;
        if let Some(name) = input.name {
            record.set("name", name);
        }
        if let Some(image) = input.image {
            record.set("image", image);
        }
        match self.write_user(self.changes(), &signed_in, record).await {
            // Somebody else may have been faster to take what only one can have.
            Err(error) if !error.is_internal() => {
                self.check_user_fields(asked).await?;
                Err(error)
            }
            written => written,
        }
    }

    /// Changes a signed-in user's row together with some changes, and hands the session out again, so that a copy in the
    /// cookie is up to date.
    pub(crate) async fn write_user(
        &mut self,
        mut changes: Changes,
        signed_in: &SignedIn,
        mut record: Record,
    ) -> Result<User> {
        let core = Arc::clone(&self.core);
        record.set("updatedAt", core.clock.now());
        let user = signed_in.user.changed(&record)?;
        changes.update_expecting("user", Filter::by("id", &user.id), record).await?;
        if changes.commit().await? == Commit::Lost {
            return Err(codes::FAILED_TO_UPDATE_USER.bad_request());
        }
        let session = signed_in.session.clone();
        let signed_in = Arc::new(SignedIn::new(session, user.clone()));
        let forgotten = self.is_forgotten();
        self.hand_out(&signed_in, forgotten).await;
        Ok(user)
    }
}

/// What JavaScript takes for true.
fn is_truthy(value: &Json) -> bool {
    match value {
        Json::Null | Json::Bool(false) => false,
        Json::String(text) => !text.is_empty(),
        Json::Number(number) => number.as_f64() != Some(0.0),
        Json::Bool(true) | Json::Array(_) | Json::Object(_) => true,
    }
}

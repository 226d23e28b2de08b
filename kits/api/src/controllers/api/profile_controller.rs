use housekey::auth::api;
use housekey::auth::engine::UpdateUser;
use housekey::prelude::*;
use housekey::serde_json::{Value, json};

use crate::models::Profile;
use crate::requests::profile::ProfileRequest;

/// `GET /api/me`
pub async fn show(CurrentUser(user): CurrentUser) -> Json<Value> {
    Json(json!({ "user": Profile::from(&*user) }))
}

/// `PATCH /api/me`
pub async fn update(Valid(form): Valid<ProfileRequest>) -> Result<Json<Value>> {
    let changes = UpdateUser { name: Some(form.name), ..default() };
    let user = api()?.update_user(changes).await.refuse_at("name")?;
    Ok(Json(json!({ "user": Profile::from(&user) })))
}

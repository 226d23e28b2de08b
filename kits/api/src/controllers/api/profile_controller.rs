use housekey::auth::api;
use housekey::auth::engine::UpdateUser;
use housekey::prelude::*;
use serde::Serialize;

use crate::models::Profile;
use crate::requests::profile::ProfileRequest;

/// Whoever is signed in.
#[typescript]
#[derive(Serialize)]
pub struct Me {
    pub user: Profile,
}

/// `GET /api/me`
pub async fn show(CurrentUser(user): CurrentUser) -> Json<Me> {
    Json(Me { user: Profile::from(&*user) })
}

/// `PATCH /api/me`
pub async fn update(Valid(form): Valid<ProfileRequest>) -> Result<Json<Me>> {
    let changes = UpdateUser { name: Some(form.name), ..default() };
    let user = api()?.update_user(changes).await.or_field_error("name")?;
    Ok(Json(Me { user: Profile::from(&user) }))
}

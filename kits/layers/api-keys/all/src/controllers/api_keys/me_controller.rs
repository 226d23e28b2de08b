use housekey::auth::{KeyOwner, require_api_key};
use housekey::prelude::*;
use serde::Serialize;

/// What a program learns about its key.
#[derive(Debug, Serialize)]
pub struct Me {
    /// Whom it acts for.
    pub owner: String,
    /// What they call the key.
    pub key: Option<String>,
}

/// `GET /api/me`: a first route for programs. Behind the guard, `user()` is the owner of the key and `api_key()` the key.
pub async fn show() -> Result<Json<Me>> {
    let shown = require_api_key()?;
    let owner = match &shown.owner {
        KeyOwner::User(user) => user.name.clone(),
        KeyOwner::Organization(organization) => organization.name.clone(),
    };
    Ok(Json(Me { owner, key: shown.key.name.clone() }))
}

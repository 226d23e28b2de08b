use housekey::prelude::*;
use serde::Serialize;
use time::format_description::well_known::Rfc3339;

/// A person as clients of the API see them. What is not in here does not leave the server.
#[typescript]
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Profile {
    pub id: String,
    pub name: String,
    pub email: String,
    /// Whether the address was proven to be theirs.
    pub email_verified: bool,
    /// Where a picture of them is.
    pub image: Option<String>,
    pub created_at: String,
}

impl From<&housekey::auth::User> for Profile {
    fn from(user: &housekey::auth::User) -> Self {
        Self {
            id: user.id.clone(),
            name: user.name.clone(),
            email: user.email.clone(),
            email_verified: user.email_verified,
            image: user.image.clone(),
            created_at: user.created_at.format(&Rfc3339).unwrap_or_default(),
        }
    }
}

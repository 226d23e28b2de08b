use housekey::prelude::*;
use serde::Deserialize;

/// Which people the list shows.
#[derive(Default, Deserialize, Validated)]
#[serde(default)]
pub struct UserListRequest {
    /// What their name or their address begins with.
    #[validate(max(254))]
    pub search: String,
    /// Whether it may also be in the middle. No index finds that: with very many people it takes a moment.
    pub anywhere: bool,
    /// `admins`, `closed` or `unconfirmed`; everybody otherwise.
    pub show: String,
    /// `oldest`, `email` or `name`; the newest first otherwise.
    pub sort: String,
    pub page: u32,
}

/// Which events the list shows.
#[derive(Default, Deserialize, Validated)]
#[serde(default)]
pub struct EventListRequest {
    /// Of which account, by its id or its address.
    #[validate(max(254))]
    pub user: String,
    #[validate(max(64))]
    pub kind: String,
    pub page: u32,
}

/// Why an account is closed, and until when.
#[derive(Deserialize, Validated)]
pub struct BanRequest {
    #[validate(required, max(500))]
    pub reason: String,
    /// How many days it lasts. Without a number, until somebody opens it again.
    #[validate(between(1, 3650))]
    pub days: Option<u32>,
}

/// Whether somebody is an admin.
#[derive(Deserialize, Validated)]
pub struct RoleRequest {
    #[serde(default)]
    pub admin: bool,
}

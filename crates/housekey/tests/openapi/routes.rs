//! Routes of every kind.

use housekey::axum::extract::{Path, Query};
use housekey::prelude::*;
use serde::{Deserialize, Serialize};

/// Another password for the account.
#[typescript]
#[derive(Deserialize, Validated)]
struct PasswordRequest {
    #[validate(required)]
    current_password: Secret,
    /// Typed twice.
    #[validate(required, min(8), confirmed)]
    password: Secret,
    #[serde(default)]
    sign_out_others: bool,
    #[validate(max(200))]
    note: Option<String>,
}

#[typescript]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Profile {
    full_name: String,
    image: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<String>,
    role: Role,
    #[serde(skip_serializing)]
    password_hash: String,
}

#[typescript]
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Role {
    Owner,
    Member,
}

/// A page of a longer list. <script>alert(1)</script>
#[typescript]
#[derive(Serialize)]
struct Page<T> {
    items: Vec<T>,
    next: Option<u32>,
}

#[typescript]
#[derive(Deserialize)]
struct Search {
    /// What to look for.
    q: Option<String>,
}

#[typescript]
#[derive(Deserialize, Validated)]
struct NewNote {
    #[validate(required, max(120))]
    title: String,
}

#[typescript]
#[derive(Serialize)]
struct Note {
    id: u32,
}

async fn people(Query(_): Query<Search>) -> Json<Page<Profile>> {
    Json(Page { items: Vec::new(), next: None })
}

async fn change(Valid(_): Valid<PasswordRequest>) -> Result<StatusCode> {
    Ok(StatusCode::OK)
}

async fn store(Valid(_): Valid<NewNote>) -> Json<Note> {
    Json(Note { id: 1 })
}

async fn remove(Path(_): Path<(String, u64)>) {}

pub(super) fn api(route: &mut Routes) {
    route.post("/webhook", async || "ok").without_csrf();
    route.group().prefix("/api").without_csrf().typed(|route| {
        route.get("/people", people);
        route.put("/password", change).refuses(StatusCode::UNAUTHORIZED, "The old password is wrong.");
        route.delete("/teams/{team}/posts/{post}", remove);
        route.group().heading("Notes").middleware(["auth", "throttle:60,1"]).routes(|route| {
            route
                .post("/notes", store)
                .status(StatusCode::CREATED)
                .refuses(StatusCode::CONFLICT, "There is a note of this title.")
                .about("Keep a note. Its title is the only one of its kind.")
                .name("notes.store");
        });
    });
}

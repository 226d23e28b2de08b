//! An app that answers with every error the framework knows, for the tests of `@housekey/client`: what the client
//! promises about errors, tokens, confirmations and queries is held against this and not against a copy of it.
//!
//! `housekey-client-server serve --port 0` serves until its input closes: whoever started it can die without leaving it
//! behind. `housekey-client-server types` writes the TypeScript of its routes, which the tests compile against the client.

use std::io::Read;
use std::process::ExitCode;

use housekey::csrf::csrf_token;
use housekey::prelude::*;
use housekey::{ConfigFile, EncryptionConfig};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn main() -> ExitCode {
    if std::env::args().any(|word| word == "serve") {
        std::thread::spawn(|| {
            let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
            std::process::exit(0);
        });
    }
    let config = ConfigFiles::new()
        .with(ConfigFile::new("assets", "config/assets.rs", assets))
        .with(ConfigFile::new("encryption", "config/encryption.rs", encryption));
    housekey::run(housekey::app(config).routes(routes))
}

fn encryption() -> EncryptionConfig {
    EncryptionConfig { key: env("APP_KEY", ""), ..EncryptionConfig::default() }
}

fn assets() -> AssetsConfig {
    AssetsConfig { types: Some("types".into()), ..AssetsConfig::default() }
}

fn routes(route: &mut Routes) {
    route.get("/welcome", async || "a page");
    route.group().typed(|route| {
        route.post("/sign-in", async || redirect("/welcome"));
        route.put("/settings/password", change_password).middleware("throttle:60,1");
    });
    route.group().prefix("/api").typed(|route| {
        route.get("/session", async || Json(Session { user: None, csrf: csrf_token() }));
        route.post("/echo", async |Json(body): Json<Value>| Json(body));
        route.delete("/things/{id}", remove);
        route.post("/empty", async || StatusCode::NO_CONTENT);
        route.patch("/profile", async |Valid(profile): Valid<Profile>| Json(Saved { name: profile.name }));
        route.get("/search", search);
        route.get("/me", async || Err::<(), _>(Error::unauthenticated()));
        route.get("/plan", async || Err::<(), _>(plan_ended()));
        route.get("/broken", async || Err::<(), _>(Error::internal("a secret of ours")));
        route.post("/confirm", confirm);
        route.delete("/account", delete_account);
    });
    route.group().prefix("/api").routes(|route| {
        route.get("/seldom", async || "{}").middleware("throttle:1,1");
        route.any("/{*path}", async || Err::<(), _>(Error::not_found()));
    });
}

/// Who is there.
#[typescript]
#[derive(Serialize)]
struct Session {
    user: Option<User>,
    /// To be sent with every write.
    csrf: String,
}

#[typescript]
#[derive(Serialize)]
struct User {
    name: String,
}

#[typescript]
#[derive(Serialize)]
struct Removed {
    removed: String,
}

async fn remove(Path(id): Path<String>) -> Json<Removed> {
    Json(Removed { removed: id })
}

#[typescript]
#[derive(Serialize)]
struct Saved {
    name: String,
}

#[typescript]
#[derive(Deserialize, Validated)]
struct Password {
    #[validate(required, min(8), confirmed)]
    password: Secret,
    #[serde(default)]
    sign_out_others: bool,
    hint: Option<String>,
}

async fn change_password(Valid(form): Valid<Password>) -> Redirect {
    let gives_away = form.hint.as_deref() == Some(form.password.reveal());
    back().with(
        "status",
        match form.sign_out_others {
            _ if gives_away => "The hint says it all.",
            true => "Saved. Everybody else is signed out.",
            false => "Saved.",
        },
    )
}

#[typescript]
#[derive(Deserialize, Validated)]
#[validate(after = Self::check)]
struct Profile {
    #[validate(required, max(10))]
    name: String,
    #[validate(label("e-mail address"), required, email)]
    email: String,
}

impl Profile {
    async fn check(&self, errors: &mut FieldErrors) -> Result<()> {
        if self.email.starts_with("taken@") {
            errors.add("email", "The e-mail address is taken.");
        }
        Ok(())
    }
}

#[typescript]
#[derive(Deserialize, Validated)]
struct Search {
    #[validate(required)]
    ids: Vec<u64>,
    page: Option<u32>,
}

#[typescript]
#[derive(Serialize)]
struct Found {
    ids: Vec<u64>,
    page: Option<u32>,
}

async fn search(ValidQuery(search): ValidQuery<Search>) -> Json<Found> {
    Json(Found { ids: search.ids, page: search.page })
}

fn plan_ended() -> Error {
    Error::new(StatusCode::PAYMENT_REQUIRED, "Your plan has ended.").with_code("plan_ended")
}

async fn confirm(Json(body): Json<Value>) -> Result<Json<Value>> {
    if body["password"] != "correct horse" {
        let mut errors = FieldErrors::default();
        errors.add("password", "The password is wrong.");
        return Err(Error::invalid(errors));
    }
    session().put("confirmed", true)?;
    Ok(Json(json!({})))
}

async fn delete_account() -> Result<Json<Value>> {
    match session().get("confirmed").await? {
        Some(true) => Ok(Json(json!({ "deleted": true }))),
        _ => Err(Error::locked()),
    }
}

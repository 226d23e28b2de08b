//! An app that answers with every error the framework knows, for the tests of `@housekey/client`: what the client
//! promises about errors, tokens, confirmations and queries is held against this and not against a copy of it.
//!
//! `housekey-client-server serve --port 0` serves until its input closes: whoever started it can die without leaving it
//! behind.

use std::io::Read;
use std::process::ExitCode;

use housekey::csrf::csrf_token;
use housekey::prelude::*;
use housekey::{ConfigFile, EncryptionConfig};
use serde::Deserialize;
use serde_json::{Value, json};

fn main() -> ExitCode {
    std::thread::spawn(|| {
        let _ = std::io::stdin().lock().read_to_end(&mut Vec::new());
        std::process::exit(0);
    });
    let config = ConfigFiles::new().with(ConfigFile::new("encryption", "config/encryption.rs", encryption));
    housekey::run(housekey::app(config).routes(routes))
}

fn encryption() -> EncryptionConfig {
    EncryptionConfig { key: env("APP_KEY", ""), ..EncryptionConfig::default() }
}

fn routes(route: &mut Routes) {
    route.post("/sign-in", async || redirect("/welcome"));
    route.get("/welcome", async || "a page");
    route.group().prefix("/api").routes(|route| {
        route.get("/session", async || Json(json!({ "user": null, "csrf": csrf_token() })));
        route.post("/echo", async |Json(body): Json<Value>| Json(body));
        route.delete("/things/{id}", async |Path(id): Path<String>| Json(json!({ "removed": id })));
        route.post("/empty", async || StatusCode::NO_CONTENT);
        route.patch("/profile", async |Valid(profile): Valid<Profile>| Json(json!({ "name": profile.name })));
        route.get("/search", search);
        route.get("/me", async || Err::<(), _>(Error::unauthenticated()));
        route.get("/plan", async || Err::<(), _>(plan_ended()));
        route.get("/broken", async || Err::<(), _>(Error::internal("a secret of ours")));
        route.get("/seldom", async || "{}").middleware("throttle:1,1");
        route.post("/confirm", confirm);
        route.delete("/account", delete_account);
        route.any("/{*path}", async || Err::<(), _>(Error::not_found()));
    });
}

#[derive(Deserialize)]
struct Profile {
    name: String,
    email: String,
}

impl Validated for Profile {
    fn rules(rules: &mut Rules) {
        rules.field("name").required().max(10);
        rules.field("email").label("e-mail address").required().email();
    }

    async fn after(&self, errors: &mut FieldErrors) -> Result<()> {
        if self.email.starts_with("taken@") {
            errors.add("email", "The e-mail address is taken.");
        }
        Ok(())
    }
}

#[derive(Deserialize)]
struct Search {
    ids: Vec<u64>,
    page: Option<u32>,
}

impl Validated for Search {
    fn rules(rules: &mut Rules) {
        rules.field("ids").required();
    }
}

async fn search(ValidQuery(search): ValidQuery<Search>) -> Json<Value> {
    Json(json!({ "ids": search.ids, "page": search.page }))
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

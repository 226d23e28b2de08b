//! A small app whose console the tests drive as a process of its own.

use std::{process::ExitCode, sync::Arc, time::Duration};

use housekey_cache::{CacheConfig, cache};
use housekey_console::{
    AppCommands, Command, CommandContext, Problem, clap, confirm_in_production, force_flag,
};
use housekey_core::{
    AppConfig, Clock, ConfigFile, ConfigFiles, EncryptionConfig, Error, Hook, Result, env, env_list,
};
use housekey_http::{
    App, AssetsConfig, HttpConfig, Request, Response, Routes,
    axum::{Json, extract::Path, http::StatusCode},
    guard::Next,
    session::{SessionConfig, session},
};
use serde::{Deserialize, Serialize};

fn main() -> ExitCode {
    housekey_console::run(app())
}

fn app() -> App {
    // A test that needs time to have passed says how much.
    let clock = Clock::frozen_now();
    clock.advance(Duration::from_secs(env("SAMPLE_SECONDS_LATER", 0_u64)));
    App::new(files())
        .clock(clock)
        .routes(web)
        .middleware("staff", staff)
        .command(Remember)
        .command(Recall)
        .command(Wipe)
        .command(Fail)
}

fn web(route: &mut Routes) {
    route.get("/health", async || "ok").name("health");
    route.get("/visit", async || session().put("visited", true).map(|()| "welcome"));
    route.post("/posts", async || "stored").name("posts.store").middleware("throttle:6,1");
    route.group().prefix("/admin").name("admin.").middleware("staff").routes(|route| {
        route.get("/users/{id}", async || "user").name("users.show").where_("id", "[0-9]+");
        route.delete("/users/{id}", async || "gone");
    });
    if has_types() {
        route.group().prefix("/api").typed(|route| {
            route.delete("/posts/{id}", remove).middleware("throttle:6,1");
            route.get("/posts", async || Json(vec!["first".to_owned()]));
        });
    }
    if env("SAMPLE_UNKNOWN_GUARD", false) {
        route.get("/guarded", async || "never").middleware("staf");
    }
}

async fn remove(Path(_): Path<u32>) -> StatusCode {
    StatusCode::NO_CONTENT
}

/// Asked for by a variable of the process: most tests look at an app without.
fn has_types() -> bool {
    std::env::var_os("SAMPLE_TYPES").is_some()
}

async fn staff(request: Request, next: Next) -> Result<Response> {
    Ok(next.run(request).await)
}

fn files() -> ConfigFiles {
    let files = match has_types() {
        true => ConfigFiles::new().with(ConfigFile::new("assets", "config/assets.rs", || AssetsConfig {
            project_directory: env::<String>("SAMPLE_TYPES", "").into(),
            types: Some("types".into()),
            ..AssetsConfig::default()
        })),
        false => ConfigFiles::new(),
    };
    files
        .with(ConfigFile::new("app", "config/app.rs", || AppConfig {
            name: env("APP_NAME", "Sample"),
            env: env("APP_ENV", "development"),
            ..AppConfig::default()
        }))
        .with(ConfigFile::new("auth", "config/auth.rs", || AuthConfig {
            base_path: env("AUTH_BASE_PATH", "/api/auth"),
            plugins: vec![Hook::set(Arc::new(|| ()))],
        }))
        .with(ConfigFile::new("cache", "config/cache.rs", CacheConfig::default))
        .with(ConfigFile::new("encryption", "config/encryption.rs", || EncryptionConfig {
            key: env("APP_KEY", ""),
            previous_keys: env_list("APP_PREVIOUS_KEYS"),
        }))
        .with(ConfigFile::new("http", "config/http.rs", || HttpConfig {
            port: env("PORT", 3000_u16),
            ..HttpConfig::default()
        }))
        .with(ConfigFile::new("session", "config/session.rs", SessionConfig::default))
}

/// Stands for a config file that holds a function.
#[derive(Clone, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct AuthConfig {
    base_path: String,
    plugins: Vec<Hook<dyn Fn() + Send + Sync>>,
}

struct Remember;

impl Command for Remember {
    fn name(&self) -> &'static str {
        "memo:put"
    }

    fn about(&self) -> &'static str {
        "Put a word into the cache"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!(<word> "The word"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let word = context.argument("word").unwrap_or_default();
        cache()?.put("memo", word, None).await?;
        context.ui().success(format_args!("remembered {word}"));
        Ok(())
    }
}

struct Recall;

impl Command for Recall {
    fn name(&self) -> &'static str {
        "memo:get"
    }

    fn about(&self) -> &'static str {
        "Print the word in the cache"
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let word: Option<String> = cache()?.get("memo").await?;
        context.ui().line(word.as_deref().unwrap_or("nothing"));
        Ok(())
    }
}

struct Wipe;

impl Command for Wipe {
    fn name(&self) -> &'static str {
        "memo:wipe"
    }

    fn about(&self) -> &'static str {
        "Pretend to destroy everything"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(force_flag())
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        confirm_in_production(&context, "This wipes every memo.")?;
        context.ui().success("wiped");
        Ok(())
    }
}

struct Fail;

impl Command for Fail {
    fn name(&self) -> &'static str {
        "memo:fail"
    }

    fn about(&self) -> &'static str {
        "Fail in one of several ways"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command.arg(clap::arg!([how]))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        match context.argument("how") {
            Some("io") => Err(Error::from(std::io::Error::other("disk full")).context("writing the report")),
            Some("public") => Err(Error::not_found()),
            _ => Err(Problem::new("the printer is out of paper").remedy("Put paper in.").into()),
        }
    }
}

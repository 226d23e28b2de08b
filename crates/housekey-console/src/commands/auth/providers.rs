use housekey_auth::engine::Engine;
use housekey_auth::engine::social::Provider;
use housekey_auth::{Auth, AuthConfig};
use housekey_core::Result;
use serde_json::json;

use crate::{Command, CommandContext};

/// `auth:providers`: whom people may sign in with, and what to register there.
pub(crate) struct AuthProviders;

impl Command for AuthProviders {
    fn name(&self) -> &'static str {
        "auth:providers"
    }

    fn about(&self) -> &'static str {
        "Show whom people may sign in with, and the redirect URI to register there"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--offline "Do not ask providers whether they answer"))
            .arg(clap::arg!(--json "One JSON object per line"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let auth = Auth::of(context.services()?)?;
        let engine = auth.engine();
        let mut found = Vec::new();
        for provider in &engine.options().social_providers {
            found.push(Found::of(engine, provider, context.flag("offline")).await);
        }
        show(&context, auth.config(), &found)
    }
}

/// What is known of a provider.
struct Found<'a> {
    provider: &'a Provider,
    redirect_uri: String,
    discovery: Discovery,
}

enum Discovery {
    /// It is not asked: its addresses are known, or nobody wants to know.
    NotAsked(&'static str),
    /// It describes itself, under this name.
    Answers(String),
    /// Why it does not.
    Fails(String),
}

impl<'a> Found<'a> {
    async fn of(engine: &Engine, provider: &'a Provider, offline: bool) -> Self {
        let discovery = match provider.spec().discovery {
            None => Discovery::NotAsked("needs none"),
            Some(_) if offline => Discovery::NotAsked("not asked"),
            Some(_) => match engine.check_provider(&provider.id).await {
                Ok(Some(issuer)) => Discovery::Answers(issuer),
                Ok(None) => Discovery::NotAsked("needs none"),
                Err(error) => Discovery::Fails(error.to_string()),
            },
        };
        let redirect_uri = engine.redirect_uri(&provider.id).unwrap_or_default();
        Self { provider, redirect_uri, discovery }
    }

    fn is_ready(&self) -> bool {
        !matches!(self.discovery, Discovery::Fails(_))
    }
}

fn show(context: &CommandContext, config: &AuthConfig, found: &[Found<'_>]) -> Result<()> {
    let ui = context.ui();
    if context.flag("json") {
        found.iter().for_each(|one| ui.line(as_json(one)));
        return Ok(());
    }
    if found.is_empty() {
        ui.note("Nobody is configured: people sign in with what else config/auth.rs offers.");
        ui.note(
            "Name providers in `social_providers` of config/auth.rs and put their keys into .env; one whose client id is \
             empty does not exist.",
        );
        return Ok(());
    }
    let rows: Vec<Vec<String>> = found.iter().map(row).collect();
    ui.table(&["provider", "id", "redirect URI to register", "discovery"], &rows);
    if !config.mount {
        ui.warn("`mount` is off in config/auth.rs, so none of them is offered: they send people back to an endpoint.");
    }
    for one in found.iter().filter(|one| !one.is_ready()) {
        if let Discovery::Fails(reason) = &one.discovery {
            ui.warn(format_args!("{} does not answer: {reason}", one.provider.name));
        }
    }
    Ok(())
}

fn row(one: &Found<'_>) -> Vec<String> {
    let discovery = match &one.discovery {
        Discovery::NotAsked(why) => (*why).to_owned(),
        Discovery::Answers(_) => "answers".to_owned(),
        Discovery::Fails(_) => "fails".to_owned(),
    };
    vec![one.provider.name.clone(), one.provider.id.clone(), one.redirect_uri.clone(), discovery]
}

fn as_json(one: &Found<'_>) -> String {
    let (state, issuer, problem) = match &one.discovery {
        Discovery::NotAsked(_) => ("not-asked", None, None),
        Discovery::Answers(issuer) => ("answers", Some(issuer), None),
        Discovery::Fails(reason) => ("fails", None, Some(reason)),
    };
    json!({
        "id": one.provider.id,
        "name": one.provider.name,
        "redirectUri": one.redirect_uri,
        "discovery": state,
        "issuer": issuer,
        "problem": problem,
    })
    .to_string()
}

#[cfg(feature = "auth")]
use housekey_auth::Auth;
use housekey_core::Result;
use housekey_http::Application;
use housekey_http::routing::RouteInfo;

use crate::{Command, CommandContext};

/// `route:list`: every address the app answers.
pub(crate) struct RouteList;

impl Command for RouteList {
    fn name(&self) -> &'static str {
        "route:list"
    }

    fn about(&self) -> &'static str {
        "List every route"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!(--json "Print JSON"))
            .arg(clap::arg!(--path <TEXT> "Only paths that hold this text"))
            .arg(clap::arg!(--method <METHOD> "Only routes that answer this method"))
            .arg(clap::arg!(--name <TEXT> "Only names that hold this text"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let filter = Filter {
            path: context.argument("path"),
            method: context.argument("method"),
            name: context.argument("name"),
        };
        let application = context.application()?;
        let mut routes = application.routes().list();
        spell_out(&mut routes, application);
        routes.retain(|route| filter.lets_through(route));
        routes.sort_by(|a, b| (&a.path, &a.methods).cmp(&(&b.path, &b.methods)));

        let ui = context.ui();
        if context.flag("json") {
            ui.line(serde_json::to_string_pretty(&routes)?);
            return Ok(());
        }
        if routes.is_empty() {
            ui.line("No route matches.");
            return Ok(());
        }
        let rows: Vec<Vec<String>> = routes.iter().map(row).collect();
        ui.table(&["Method", "Path", "Name", "Middleware"], &rows);
        ui.note(format_args!("{} {}", rows.len(), if rows.len() == 1 { "route" } else { "routes" }));
        Ok(())
    }
}

/// `action:delete-account` as what it asks for, which stands elsewhere: in `config/auth.rs`.
#[cfg(feature = "auth")]
fn spell_out(routes: &mut [RouteInfo], application: &Application) {
    let Some(auth) = application.services().get::<Auth>() else { return };
    let demands = |guard: &str| {
        let action = guard.strip_prefix("action:")?.parse().ok()?;
        Some(auth.config().demands.of(action).iter().map(ToString::to_string).collect())
    };
    for route in routes {
        let guards = std::mem::take(&mut route.middleware).into_iter();
        route.middleware = guards.flat_map(|guard| demands(&guard).unwrap_or_else(|| vec![guard])).collect();
    }
}

#[cfg(not(feature = "auth"))]
fn spell_out(_: &mut [RouteInfo], _: &Application) {}

fn row(route: &RouteInfo) -> Vec<String> {
    vec![
        route.methods.join("|"),
        route.path.clone(),
        route.name.clone().unwrap_or_default(),
        route.middleware.join(", "),
    ]
}

struct Filter<'a> {
    path: Option<&'a str>,
    method: Option<&'a str>,
    name: Option<&'a str>,
}

impl Filter<'_> {
    fn lets_through(&self, route: &RouteInfo) -> bool {
        let answers = |method: &str| {
            route.methods.iter().any(|known| known == "ANY" || known.eq_ignore_ascii_case(method))
        };
        self.path.is_none_or(|text| route.path.contains(text))
            && self.method.is_none_or(answers)
            && self.name.is_none_or(|text| route.name.as_ref().is_some_and(|name| name.contains(text)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_narrow_together() {
        let route = RouteInfo {
            methods: vec!["GET".into(), "HEAD".into()],
            path: "/users/{id}".into(),
            name: Some("users.show".into()),
            middleware: Vec::new(),
            place: String::new(),
        };
        let passes = |path, method, name| Filter { path, method, name }.lets_through(&route);
        assert!(passes(None, None, None));
        assert!(passes(Some("users"), Some("get"), Some("show")));
        assert!(!passes(Some("users"), Some("POST"), None));
        assert!(!passes(None, None, Some("index")));
        let unnamed = RouteInfo { name: None, methods: vec!["ANY".into()], ..route };
        assert!(!Filter { path: None, method: None, name: Some("") }.lets_through(&unnamed));
        assert!(Filter { path: None, method: Some("PATCH"), name: None }.lets_through(&unnamed));
    }
}

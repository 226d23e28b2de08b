use housekey_auth::Auth;
use housekey_auth::engine::SecurityEventKind;
use housekey_auth::events::{EventFilter, KeptEvent, find};
use housekey_core::{Clock, Result};
use time::format_description::well_known::Rfc3339;
use time::{Duration, OffsetDateTime};

use crate::{Command, CommandContext, Problem};

/// `auth:events`: what happened to accounts, the newest first.
pub(crate) struct AuthEvents;

impl Command for AuthEvents {
    fn name(&self) -> &'static str {
        "auth:events"
    }

    fn about(&self) -> &'static str {
        "Show what happened to accounts, the newest first"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(
                clap::arg!(--user <who> "Only those of one account, by its id or its e-mail address")
                    .required(false),
            )
            .arg(clap::arg!(--kind <name> "Only those of one kind, such as sign-in-refused").required(false))
            .arg(clap::arg!(--since <age> "Only those of the last 30m, 24h or 7d").required(false))
            .arg(
                clap::arg!(--limit <number> "How many at most")
                    .required(false)
                    .default_value("50")
                    .value_parser(clap::value_parser!(u32)),
            )
            .arg(clap::arg!(--json "One JSON object per line"))
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let auth = Auth::of(context.services()?)?;
        if auth.config().events.days().is_none() {
            return Err(Problem::new("events about accounts are not kept, they are only logged")
                .remedy("Write `events: Events::kept(90)` into config/auth.rs, then run `housekey auth:schema --diff --migrate`.")
                .into());
        }
        let filter = EventFilter {
            user_id: user_id(&context, &auth).await?,
            kind: context.argument("kind").map(str::to_owned),
            since: since(&context)?,
            ..EventFilter::default()
        };
        let most = context.args().get_one::<u32>("limit").copied().unwrap_or(50);
        let events = find(&auth, &filter, most).await?;
        show(&context, &events)
    }
}

/// An address is looked up: events know people by their ids.
async fn user_id(context: &CommandContext, auth: &Auth) -> Result<Option<String>> {
    let Some(who) = context.argument("user") else { return Ok(None) };
    if !who.contains('@') {
        return Ok(Some(who.to_owned()));
    }
    let found =
        auth.engine().api().user_by_email(who).await.map_err(|error| Problem::new(error.to_string()))?;
    let unknown = || {
        Problem::new(format!("nobody has the address {who}"))
            .remedy("Events of an account that was deleted are found by its id.")
    };
    Ok(Some(found.ok_or_else(unknown)?.id))
}

fn since(context: &CommandContext) -> Result<Option<OffsetDateTime>> {
    let Some(age) = context.argument("since") else { return Ok(None) };
    let clock = context.services()?.require::<Clock>()?;
    let unknown = || Problem::new(format!("{age:?} is no age")).remedy("Say 30m, 24h or 7d.");
    let age = parse_age(age).ok_or_else(unknown)?;
    Ok(clock.now().checked_sub(age))
}

fn parse_age(text: &str) -> Option<Duration> {
    let unit = text.chars().next_back()?;
    let number: u32 = text.strip_suffix(unit)?.parse().ok()?;
    match unit {
        'm' => Some(Duration::minutes(number.into())),
        'h' => Some(Duration::hours(number.into())),
        'd' => Some(Duration::days(number.into())),
        _ => None,
    }
}

fn show(context: &CommandContext, events: &[KeptEvent]) -> Result<()> {
    let ui = context.ui();
    if context.flag("json") {
        for event in events {
            ui.line(serde_json::to_string(event)?);
        }
        return Ok(());
    }
    if events.is_empty() {
        ui.note("There is nothing to show.");
        let known = context.argument("kind").is_none_or(|kind| SecurityEventKind::named(kind).is_some());
        if !known {
            let names: Vec<_> = SecurityEventKind::ALL.iter().map(|kind| kind.name()).collect();
            ui.note(format_args!("Kinds are: {}", names.join(", ")));
        }
        return Ok(());
    }
    let rows: Vec<Vec<String>> = events.iter().map(row).collect();
    ui.table(&["when", "event", "user", "address", "detail"], &rows);
    Ok(())
}

fn row(event: &KeptEvent) -> Vec<String> {
    let whole = event.at.replace_nanosecond(0).unwrap_or(event.at);
    let detail = event.detail.as_ref().and_then(|detail| detail.as_object());
    let detail = detail.map(|detail| {
        let text =
            |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        detail.iter().map(|(name, value)| format!("{name}={}", text(value))).collect::<Vec<_>>().join(" ")
    });
    vec![
        whole.format(&Rfc3339).unwrap_or_default(),
        event.kind.clone(),
        event.user_id.clone().unwrap_or_else(|| "-".into()),
        event.address.clone().unwrap_or_else(|| "-".into()),
        detail.unwrap_or_default(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_age_is_a_number_and_a_unit() {
        assert_eq!(parse_age("24h"), Some(Duration::hours(24)));
        assert_eq!(parse_age("30m"), Some(Duration::minutes(30)));
        assert_eq!(parse_age("7d"), Some(Duration::days(7)));
        for wrong in ["", "h", "24", "-1h", "1.5h", "24 h", "2€", "99999999999d"] {
            assert_eq!(parse_age(wrong), None, "{wrong}");
        }
    }
}

use housekey_core::{Config, Result};
use serde_json::Value;

use crate::{Command, CommandContext, Problem, suggest::suggest};

/// `config:show [key]`: prints what was resolved.
pub(crate) struct ConfigShow;

impl Command for ConfigShow {
    fn name(&self) -> &'static str {
        "config:show"
    }

    fn about(&self) -> &'static str {
        "Show the resolved configuration"
    }

    fn args(&self, command: clap::Command) -> clap::Command {
        command
            .arg(clap::arg!([key] "What to show: `session`, `session.lifetime`; everything if left out"))
            .arg(clap::arg!(--reveal "Show secrets too"))
            .arg(clap::arg!(--json "Print JSON"))
    }

    /// What keeps an app from booting is often in here.
    fn needs_app(&self) -> bool {
        false
    }

    async fn run(&self, context: CommandContext) -> Result<()> {
        let config = context.config()?;
        let reveal = context.flag("reveal");
        let key = context.argument("key");
        let value = match key {
            None => Value::Object(config.all(reveal)),
            Some(key) => lookup(&config, key, reveal).ok_or_else(|| unknown(&config, key))?,
        };
        let ui = context.ui();
        if context.flag("json") {
            ui.line(format_args!("{value:#}"));
            return Ok(());
        }
        let mut rows = Vec::new();
        flatten(key.unwrap_or_default(), &value, &mut rows);
        let width = rows.iter().map(|(name, _)| name.chars().count()).max().unwrap_or(0);
        for (name, value) in rows {
            ui.pair(&name, value, width);
        }
        Ok(())
    }
}

fn lookup(config: &Config, key: &str, reveal: bool) -> Option<Value> {
    if reveal { config.value_with_secrets(key) } else { config.value(key) }
}

fn unknown(config: &Config, key: &str) -> Problem {
    let mut known = Vec::new();
    flatten("", &Value::Object(config.all(false)), &mut known);
    let files: Vec<String> = config.all(false).keys().cloned().collect();
    let names: Vec<&str> =
        known.iter().map(|(name, _)| name.as_str()).chain(files.iter().map(String::as_str)).collect();
    let problem = Problem::new(format!("there is no configuration value `{key}`"));
    match suggest(key, names).first() {
        Some(near) => problem.remedy(format!("Did you mean `{near}`?")),
        None => problem.remedy(format!("The files are: {}.", files.join(", "))),
    }
}

/// One row per value, under its dotted key. What is empty shows as it is.
fn flatten(key: &str, value: &Value, rows: &mut Vec<(String, String)>) {
    let below = |part: &str| if key.is_empty() { part.to_owned() } else { format!("{key}.{part}") };
    match value {
        Value::Object(fields) if !fields.is_empty() => {
            fields.iter().for_each(|(name, value)| flatten(&below(name), value, rows));
        }
        Value::Array(items) if !items.is_empty() => {
            items.iter().enumerate().for_each(|(at, value)| flatten(&below(&at.to_string()), value, rows));
        }
        Value::String(text) => rows.push((key.to_owned(), text.clone())),
        other => rows.push((key.to_owned(), other.to_string())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_flat_under_dotted_keys() {
        let mut rows = Vec::new();
        flatten("", &serde_json::json!({ "a": { "b": [1, "x"], "c": null, "d": {} } }), &mut rows);
        let rows: Vec<String> = rows.iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(rows, ["a.b.0=1", "a.b.1=x", "a.c=null", "a.d={}"]);
    }
}

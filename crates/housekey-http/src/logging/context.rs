//! What every line of a request or a job says besides its own: which request it was, and what the app added.

use std::fmt::{self, Display};
use std::sync::{Arc, Mutex, PoisonError};

use housekey_core::Scope;
use serde_json::Value;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::Writer;
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormatFields};
use tracing_subscriber::registry::LookupSpan;

use super::LogFormat;
use crate::RequestContext;

/// Adds a field to every line that is logged from now on in this request, or in this job. One of the same name is replaced.
/// Outside of both it does nothing.
///
/// ```
/// # use housekey_core::{Scope, Services};
/// # Scope::new(Services::default()).run(|| {
/// use housekey_http::logging::context;
///
/// context("order", 7);
/// tracing::info!("paid"); // … paid order=7 request_id=…
/// # });
/// ```
pub fn context(name: &'static str, value: impl Display) {
    let value = value.to_string();
    Scope::read(|scope| {
        let fields = scope.get::<LogFields>().unwrap_or_else(|| {
            let fields = Arc::new(LogFields::default());
            scope.set(fields.clone());
            fields
        });
        let mut fields = fields.0.lock().unwrap_or_else(PoisonError::into_inner);
        match fields.iter_mut().find(|(known, _)| *known == name) {
            Some(field) => field.1 = value,
            None => fields.push((name, value)),
        }
    });
}

#[derive(Default)]
struct LogFields(Mutex<Vec<(&'static str, String)>>);

/// The fields of the running request or job that an event does not have itself.
fn fields_beside(event: &Event<'_>) -> Vec<(&'static str, String)> {
    let mut fields = Scope::read(|scope| {
        let added = scope.get::<LogFields>();
        added
            .map(|fields| fields.0.lock().unwrap_or_else(PoisonError::into_inner).clone())
            .unwrap_or_default()
    })
    .unwrap_or_default();
    if let Some(request) = RequestContext::current() {
        fields.push(("request_id", request.request_id().to_owned()));
    }
    fields.retain(|(name, _)| event.metadata().fields().field(name).is_none());
    fields
}

/// Writes a line as `inner` does, and the fields of the request behind it.
pub(super) struct WithContext<F> {
    pub(super) inner: F,
    pub(super) format: LogFormat,
}

impl<S, N, F> FormatEvent<S, N> for WithContext<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, N>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let fields = fields_beside(event);
        if fields.is_empty() {
            return self.inner.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.inner.format_event(context, Writer::new(&mut line), event)?;
        writer.write_str(&append(&line, &fields, self.format))
    }
}

fn append(line: &str, fields: &[(&'static str, String)], format: LogFormat) -> String {
    let line = line.trim_end_matches('\n');
    let mut whole = String::with_capacity(line.len() + 64);
    match format {
        LogFormat::Pretty => {
            whole.push_str(line);
            for (name, value) in fields {
                whole.push_str(&format!(" {name}={}", plain(value)));
            }
        }
        LogFormat::Json => {
            whole.push_str(line.strip_suffix('}').unwrap_or(line));
            for (name, value) in fields {
                whole.push_str(&format!(",{}:{}", Value::from(*name), Value::from(value.as_str())));
            }
            whole.push('}');
        }
    }
    whole.push('\n');
    whole
}

/// A value that cannot be taken for another field or another line: what a visitor typed may be in it.
fn plain(value: &str) -> String {
    let is_plain = !value.is_empty()
        && value.chars().all(|letter| letter.is_alphanumeric() || "-_.:/@+".contains(letter));
    if is_plain { value.to_owned() } else { format!("{value:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_visitor_typed_cannot_begin_a_line_or_a_field_of_its_own() {
        let typed = "Ada\n2026 ERROR admin=true \u{1b}[31m\"}".to_owned();
        let fields = [("name", typed), ("request_id", "7a".to_owned())];
        let pretty = append("INFO app: hello\n", &fields, LogFormat::Pretty);
        assert_eq!(pretty.matches('\n').count(), 1, "{pretty}");
        assert!(
            pretty.starts_with("INFO app: hello name=\"Ada\\n") && pretty.ends_with(" request_id=7a\n"),
            "{pretty}"
        );
        assert!(!pretty.contains('\u{1b}'), "{pretty}");
        let json = append("{\"message\":\"hello\"}\n", &fields, LogFormat::Json);
        let read: Value = serde_json::from_str(&json).unwrap();
        assert_eq!(
            (read["name"].as_str(), read["request_id"].as_str()),
            (Some(fields[0].1.as_str()), Some("7a"))
        );
        assert_eq!((read["message"].as_str(), json.matches('\n').count()), (Some("hello"), 1));
    }
}

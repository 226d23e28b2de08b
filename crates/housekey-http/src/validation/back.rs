use std::sync::Arc;

use axum::body::Body;
use housekey_core::{Error, FieldErrors, Scope};
use http::header::{HOST, LOCATION, REFERER};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::input::Input;
use super::validated::Schema;
use crate::{RequestContext, Response};

/// The flash key of a refused form.
pub(super) const FORM: &str = "_form";

/// A form that was refused, on its way back to the browser. One flash, so that the page which shows the messages
/// also spends the input: it must not turn up in another form.
#[derive(Serialize, Deserialize)]
pub(super) struct RefusedForm {
    /// A list, because JSON objects forget the order in which a form's fields stand.
    errors: Vec<(String, Vec<String>)>,
    pub(super) old: Map<String, Value>,
}

impl RefusedForm {
    pub(super) fn errors(&self) -> FieldErrors {
        let messages = |(field, messages): &(String, Vec<String>)| {
            messages.iter().map(|message| (field.clone(), message.clone())).collect::<Vec<_>>()
        };
        self.errors.iter().flat_map(messages).collect()
    }
}

/// What is given back must fit a session: no value longer than this many bytes, and so much in all.
const LONGEST_VALUE: usize = 8 * 1024;
const LARGEST_TOTAL: usize = 32 * 1024;

/// The input of this request, kept in its scope in case the form has to be shown again.
struct OldInput(Map<String, Value>);

/// Remembers what may be given back. Not only validation may refuse the form: so may the handler, later.
pub(super) fn remember(input: &Input, schema: &Schema) {
    Scope::read(|scope| scope.set(Arc::new(OldInput(presentable(input, schema)))));
}

/// Sends a browser back to its form when its input was refused, messages and input in hand. `None` when that is not
/// the answer: another error, a JSON client, or a page that was merely asked for (sending it back could go round in
/// circles).
pub(crate) fn send_back(context: &RequestContext, error: &Error) -> Option<Response> {
    let errors = error.field_errors()?;
    if context.method().is_safe() || context.wants_json() {
        return None;
    }
    let old = Scope::read(Scope::get::<OldInput>).flatten();
    let form = RefusedForm {
        errors: errors.iter().map(|(field, messages)| (field.to_owned(), messages.to_vec())).collect(),
        old: old.map_or_else(Map::new, |old| old.0.clone()),
    };
    context.session().flash(FORM, form).ok()?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(LOCATION, origin_page(context.headers()));
    Some(response)
}

/// Where the request came from, if that was here; else the front page. Only path and query are taken over, so the
/// answer cannot lead anywhere else.
pub(crate) fn origin_page(headers: &HeaderMap) -> HeaderValue {
    let front = HeaderValue::from_static("/");
    let Some(referer) = headers.get(REFERER).and_then(|value| Uri::try_from(value.as_bytes()).ok()) else {
        return front;
    };
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_here = host.is_some() && referer.authority().map(http::uri::Authority::as_str) == host;
    let page = referer.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    // `//host` and `/\host` are other hosts to a browser.
    let is_path = page.starts_with('/') && !page[1..].starts_with(['/', '\\']);
    if is_here && is_path { HeaderValue::from_str(page).unwrap_or(front) } else { front }
}

/// The texts of the input without its secrets, cut to a size that a session can hold.
fn presentable(input: &Input, schema: &Schema) -> Map<String, Value> {
    let mut left = LARGEST_TOTAL;
    let mut old = Map::new();
    for (name, value) in input.values.iter().filter(|(name, _)| !schema.is_secret(name)) {
        let value = match value {
            Value::Array(items) => Value::Array(items.iter().filter_map(text).collect()),
            single => match text(single) {
                Some(text) => text,
                None => continue,
            },
        };
        let size = name.len() + value.to_string().len();
        if size <= left {
            left -= size;
            old.insert(name.clone(), value);
        }
    }
    old
}

fn text(value: &Value) -> Option<Value> {
    let mut text = match value {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        Value::Bool(flag) => flag.to_string(),
        _ => return None,
    };
    text.truncate(text.floor_char_boundary(LONGEST_VALUE));
    Some(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(host: &'static str, referer: &'static str) -> String {
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_static(host));
        headers.insert(REFERER, HeaderValue::from_static(referer));
        origin_page(&headers).to_str().unwrap().to_owned()
    }

    #[test]
    fn nobody_is_sent_to_another_site() {
        assert_eq!(page("shop.test", "https://shop.test/sign-in?next=%2Fa"), "/sign-in?next=%2Fa");
        assert_eq!(page("shop.test:3000", "http://shop.test:3000/a"), "/a");
        for foreign in [
            "https://evil.test/a",
            "https://shop.test.evil.test/a",
            "https://shop.test@evil.test/",
            "https://shop.test//evil.test/a",
            "rubbish",
            "//evil.test",
            "https://shop.test:444/a",
        ] {
            assert_eq!(page("shop.test", foreign), "/", "{foreign}");
        }
        assert_eq!(origin_page(&HeaderMap::new()), "/");
    }
}

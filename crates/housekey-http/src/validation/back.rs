use std::sync::Arc;

use axum::body::Body;
use housekey_core::translation::t;
use housekey_core::{Error, FieldErrors, Scope};
use housekey_validation::{FRAMEWORK_FIELDS, Input, Rules, is_secret_name};
use http::header::{HOST, LOCATION, REFERER};
use http::{HeaderMap, HeaderValue, StatusCode, Uri};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::form_body::{Field, FormBody};
use crate::{Request, RequestContext, Response};

/// The flash key of a refused form.
pub(super) const FORM: &str = "_form";

/// A form that was refused, on its way back to the browser. One flash, so that the page which shows the messages
/// also spends the input: it must not turn up in another form.
#[derive(Clone, Serialize, Deserialize)]
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

/// The name under which a message about the form as a whole stands.
const WHOLE_FORM: &str = "form";

/// What is given back must fit a session: no value longer than this many bytes, and so much in all.
const LONGEST_VALUE: usize = 8 * 1024;
const LARGEST_TOTAL: usize = 32 * 1024;

/// The input of this request, kept in its scope in case the form has to be shown again.
struct OldInput(Map<String, Value>);

impl OldInput {
    fn of_request() -> Map<String, Value> {
        let old = Scope::read(Scope::get::<Self>).flatten();
        old.map_or_else(Map::new, |old| old.0.clone())
    }
}

/// Remembers what may be given back. Not only validation may refuse the form: so may the handler, later.
pub(super) fn remember(input: &Input, rules: &Rules) {
    // A browser does not take a file back.
    let old = presentable(input.values(), |name| rules.is_secret(name) || input.has_file(name));
    Scope::read(|scope| scope.set(Arc::new(OldInput(old))));
}

/// Leaves what was typed into a form that a guard refused, for the page that the visitor goes back to. Nobody knows the
/// form's type here: only the names of its fields say what is secret.
///
/// A refused client must stay cheap. So a form that nobody has read yet stays unread, and a visitor whom the store does not
/// know gets no place in it: else anybody could fill it, past the very limit that refuses them.
pub fn flash_unread(request: &Request) -> impl Future<Output = ()> + Send + use<> {
    let form = FormBody::parsed(request);
    async move {
        if let Some(form) = form {
            flash(form).await;
        }
    }
}

async fn flash(form: FormBody) {
    let Some(context) = RequestContext::current() else { return };
    if context.wants_json() || !context.believes_cookies() || !context.session().is_stored().await {
        return;
    }
    let fields =
        form.into_fields().into_iter().filter(|(name, _)| !FRAMEWORK_FIELDS.contains(&name.as_str()));
    let texts = fields.filter_map(|(name, field)| match field {
        Field::Text(text) => Some((name, Value::from(text))),
        Field::File(_) => None,
    });
    let old = presentable(&texts.collect(), is_secret_name);
    // Without it the visitor types again.
    let _ = context.session().flash(FORM, RefusedForm { errors: Vec::new(), old });
}

/// Sends a browser back to its form when its input was refused, messages and input in hand. `None` when that is not
/// the answer: another error, a JSON client, a page that was merely asked for (sending it back could go round in
/// circles), or a route without a session to leave the messages in.
pub(crate) fn send_back(context: &RequestContext, error: &Error) -> Option<Response> {
    if context.method().is_safe() || context.wants_json() || !context.believes_cookies() {
        return None;
    }
    let (errors, page) = match error.field_errors() {
        Some(errors) => (errors.clone(), origin_page(context.headers())),
        None => too_large(context, error)?,
    };
    let form = RefusedForm {
        errors: errors.iter().map(|(field, messages)| (field.to_owned(), messages.to_vec())).collect(),
        old: OldInput::of_request(),
    };
    context.session().flash(FORM, form).ok()?;
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::SEE_OTHER;
    response.headers_mut().insert(LOCATION, page);
    Some(response)
}

/// The message for a form that was too large to be read, and its page. Only for a visitor who has a session: it is refused
/// before its token is seen, and a stranger must not be able to fill the store with messages.
fn too_large(context: &RequestContext, error: &Error) -> Option<(FieldErrors, HeaderValue)> {
    let is_form = FormBody::is_in(context.headers());
    if error.status() != StatusCode::PAYLOAD_TOO_LARGE || !is_form || !context.session().may_accept_a_token()
    {
        return None;
    }
    let mut errors = FieldErrors::new();
    errors.add(WHOLE_FORM, t(error.message()));
    Some((errors, own_page(context.headers())?))
}

/// Where the request came from, if that was here; else the front page. Only path and query are taken over, so the
/// answer cannot lead anywhere else.
pub(crate) fn origin_page(headers: &HeaderMap) -> HeaderValue {
    own_page(headers).unwrap_or(HeaderValue::from_static("/"))
}

/// The page of this site that a request came from, if it says so.
pub(crate) fn own_page(headers: &HeaderMap) -> Option<HeaderValue> {
    let referer = Uri::try_from(headers.get(REFERER)?.as_bytes()).ok()?;
    let host = headers.get(HOST).and_then(|host| host.to_str().ok());
    let is_here = host.is_some() && referer.authority().map(http::uri::Authority::as_str) == host;
    let page = referer.path_and_query().map_or("/", http::uri::PathAndQuery::as_str);
    // `//host` and `/\host` are other hosts to a browser.
    let is_path = page.starts_with('/') && !page[1..].starts_with(['/', '\\']);
    if is_here && is_path { HeaderValue::from_str(page).ok() } else { None }
}

/// The texts of the input without its secrets, cut to a size that a session can hold.
fn presentable(values: &Map<String, Value>, is_secret: impl Fn(&str) -> bool) -> Map<String, Value> {
    let mut left = LARGEST_TOTAL;
    let mut old = Map::new();
    for (name, value) in values.iter().filter(|(name, _)| !is_secret(name)) {
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

//! A typed route as an operation.

use housekey_core::Result;
use housekey_http::routing::{Route, SecuritySchemes};
use housekey_http::types::{BodyType, ClientType, RouteTypes};
use http::{Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::example;
use crate::schemas::Schemas;

/// The heading of routes whose group has none.
const HEADING: &str = "API";

/// The errors that every app answers in the same way.
pub(crate) const ERROR: &str = "Error";
pub(crate) const INVALID: &str = "Invalid";

pub(crate) fn operation(
    route: &Route,
    method: &Method,
    mut types: RouteTypes,
    schemas: &mut Schemas,
    schemes: &SecuritySchemes,
) -> Result<Value> {
    schemas.note(std::mem::take(&mut types.confirmed), std::mem::take(&mut types.rules));
    let (summary, more) = in_two(route.about().unwrap_or_default());
    let mut operation = Map::new();
    operation.insert("operationId".into(), id(route, method).into());
    operation.insert("tags".into(), json!([route.heading().unwrap_or(HEADING)]));
    if !summary.is_empty() {
        operation.insert("summary".into(), summary.into());
    }
    if !more.is_empty() {
        operation.insert("description".into(), more.into());
    }
    let parameters = parameters(route, &types, schemas)?;
    if !parameters.is_empty() {
        operation.insert("parameters".into(), parameters.into());
    }
    if let Some(body) = &types.body {
        operation.insert("requestBody".into(), request_body(body, &types, schemas)?);
    }
    operation.insert("responses".into(), responses(route, &types, schemas)?);
    // A handler that says 401 itself looks at something else: a password, say.
    let is_own = route.refusals().iter().any(|(status, _)| *status == StatusCode::UNAUTHORIZED);
    let ways = ways(route, schemes);
    if types.refusals.contains(&StatusCode::UNAUTHORIZED) && !is_own && !ways.is_empty() {
        let each = ways.into_iter().map(|name| json!({ (name): [] }));
        operation.insert("security".into(), each.collect());
    }
    Ok(operation.into())
}

/// How somebody may say who they are: as a guard names it, or as usual.
fn ways<'a>(route: &Route, schemes: &'a SecuritySchemes) -> Vec<&'a str> {
    let named: Vec<_> = route.guards().flat_map(|guard| guard.security_schemes().to_vec()).collect();
    let is_named = |name: &&String| named.contains(&name.as_str());
    let usual = schemes.usual.iter().filter(|(name, _)| named.is_empty() || is_named(name));
    let others = schemes.others.iter().filter(|(name, _)| is_named(name));
    let counts = |scheme: &Value| scheme["in"] != "cookie" || route.believes_cookies();
    usual.chain(others).filter(|(_, scheme)| counts(scheme)).map(|(name, _)| name.as_str()).collect()
}

/// The first sentence, and what follows it.
fn in_two(about: &str) -> (&str, &str) {
    match about.split_once(". ") {
        Some((first, rest)) => (first, rest),
        None => (about.trim_end_matches('.'), ""),
    }
}

/// The route's name, or one made from its address.
fn id(route: &Route, method: &Method) -> String {
    route.name().map_or_else(
        || {
            let words = route.path().split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let words: Vec<_> = words.collect();
            format!("{}.{}", method.as_str().to_lowercase(), words.join("."))
        },
        str::to_owned,
    )
}

fn parameters(route: &Route, types: &RouteTypes, schemas: &mut Schemas) -> Result<Vec<Value>> {
    let names: Vec<&str> = names_of(route.path()).collect();
    let mut known = match &types.params {
        Some(form) if form.declaration.as_ref().is_some_and(|declaration| declaration.has_fields) => {
            schemas.fields_of(form)?.into_iter().map(|(name, schema, _)| (name, schema)).collect()
        }
        Some(form) => {
            let items = schemas.items_of(form)?;
            names.iter().map(|name| (*name).to_owned()).zip(items).collect()
        }
        None => Map::new(),
    };
    let mut parameters = Vec::new();
    for name in names {
        let schema = known.remove(name).unwrap_or_else(|| json!({ "type": "string" }));
        parameters.push(json!({ "name": name, "in": "path", "required": true, "schema": schema }));
    }
    if let Some(query) = &types.query {
        for (name, mut schema, is_required) in schemas.fields_of(query)? {
            let about = schema.as_object_mut().and_then(|schema| schema.remove("description"));
            // What is left out of a query is not there; there is no null.
            if let [kind, null] = schema["type"].as_array().map(Vec::as_slice).unwrap_or_default()
                && *null == "null"
            {
                schema["type"] = kind.clone();
            }
            let mut parameter =
                json!({ "name": name, "in": "query", "required": is_required, "schema": schema });
            if let Some(about) = about {
                parameter["description"] = about;
            }
            parameters.push(parameter);
        }
    }
    Ok(parameters)
}

/// The parameters of a path, wildcards too.
fn names_of(path: &str) -> impl Iterator<Item = &str> {
    let segments = path.split('/').filter_map(|segment| segment.strip_prefix('{')?.strip_suffix('}'));
    segments.map(|name| name.trim_start_matches('*'))
}

fn request_body(body: &BodyType, types: &RouteTypes, schemas: &mut Schemas) -> Result<Value> {
    // What `Valid` reads may come from a form as well.
    let takes_forms = types.refusals.contains(&StatusCode::UNPROCESSABLE_ENTITY);
    let mut content = Map::new();
    for form in &body.forms {
        match form {
            ClientType::Text(text) if text == "FormData" => {
                content.insert("multipart/form-data".into(), json!({ "schema": { "type": "object" } }));
            }
            ClientType::Text(text) if text == "string" => {
                content.insert("text/plain".into(), json!({ "schema": { "type": "string" } }));
            }
            ClientType::Text(_) => drop(content.insert("application/json".into(), json!({ "schema": {} }))),
            ClientType::Of(form) => {
                let schema = schemas.of_form(form)?;
                let example = example::of(&schema, "", schemas);
                let described = json!({ "schema": schema, "example": example });
                content.insert("application/json".into(), described.clone());
                if takes_forms {
                    content.insert("application/x-www-form-urlencoded".into(), described);
                }
            }
        }
    }
    Ok(json!({ "required": !body.is_optional, "content": content }))
}

fn responses(route: &Route, types: &RouteTypes, schemas: &mut Schemas) -> Result<Value> {
    let mut responses = Map::new();
    let done = match &types.answer {
        Some(answer) => {
            let schema = schemas.of_client_type(answer)?;
            json!({ "description": "Done.", "content": { "application/json": { "schema": schema } } })
        }
        None => json!({ "description": "Done." }),
    };
    responses.insert(route.status().unwrap_or(StatusCode::OK).as_str().to_owned(), done);
    for status in &types.refusals {
        let schema = if *status == StatusCode::UNPROCESSABLE_ENTITY { INVALID } else { ERROR };
        let schema = json!({ "$ref": format!("#/components/schemas/{schema}") });
        let told = route.refusals().iter().find(|(own, _)| own == status);
        let why = told.map_or_else(|| words(*status), |(_, why)| why.as_str());
        responses.insert(
            status.as_str().to_owned(),
            json!({
                "description": why,
                "content": { "application/json": { "schema": schema } },
            }),
        );
    }
    Ok(responses.into())
}

/// Why somebody is refused.
fn words(status: StatusCode) -> &'static str {
    match status.as_u16() {
        401 => "Nobody is signed in.",
        403 => "This is not allowed.",
        404 => "There is no such thing.",
        409 => "Something else came first.",
        419 => "The page was open for too long: its token is out of date.",
        422 => "Something in what was sent is not right; `errors` says what, by field.",
        423 => "The password is asked for first.",
        429 => "Too many requests; `retry-after` tells when to try again.",
        _ => "Refused.",
    }
}

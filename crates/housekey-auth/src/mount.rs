use axum::body::Body;
use bytes::Bytes;
use housekey_base::cookies;
use housekey_core::{Error, Result};
use housekey_engine::Endpoint;
use housekey_http::guard::GuardFuture;
use housekey_http::{Guard, Next, Request, RequestContext, Response, Routes};
use http::header::{COOKIE, SET_COOKIE};
use http::{HeaderMap, HeaderValue, Method};
use http_body_util::BodyExt;

use crate::current::Holder;
use crate::demands::Demand;
use crate::{Auth, Feature, address, description};

/// Serves the engine's endpoints below its base path. The engine checks origins itself, so no token is asked for.
pub(crate) fn mount(routes: &mut Routes, auth: &Auth) {
    let base = auth.engine().options().base_path.trim_end_matches('/').to_owned();
    routes.group().prefix(&base).name("auth.").own_csrf_check().routes(|route| {
        for endpoint in auth.engine().endpoints() {
            let path = pattern(endpoint);
            let demands = auth.config().demands.at(endpoint.path());
            let added = route
                .methods([endpoint.method().clone()], &path, answer)
                .middleware(demands.iter().map(|demand| AskedInside(*demand)).collect::<Vec<_>>())
                .name(&name(endpoint));
            let (engine, described) = (auth.engine().clone(), endpoint.clone());
            let added = added.operation(move || description::operation(&engine, &described));
            if path.contains('{') {
                // What stands there is a token, or what comes with it a code.
                added.sensitive();
            }
        }
        // Whatever else is asked for here, the engine answers too: with its limits and its 404.
        route.fallback(answer);
    });
}

/// What `route:list` shows for a demand of an endpoint. It is asked for inside the engine (`guards/action/endpoints.rs`):
/// after its limits and its check of the origin, whichever way led there.
struct AskedInside(Demand);

impl Guard for AskedInside {
    fn name(&self) -> String {
        self.0.to_string()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move { Ok(next.run(request).await) })
    }
}

async fn answer(request: Request) -> Result<Response> {
    let auth = Auth::current()?;
    let (mut parts, body) = request.into_parts();
    let body = body.collect().await.map_err(Error::from)?.to_bytes();
    // The engine knows no HEAD, as the reference does not. Our routes answer it wherever there is a GET: the kernel sends
    // the head of this answer alone.
    if parts.method == Method::HEAD {
        parts.method = Method::GET;
    }
    let context = RequestContext::current();
    if auth.tells_address() {
        address::tell(&mut parts.headers, context.as_ref().and_then(|context| context.client_ip()));
    }
    let held = cookies::first(&parts.headers, auth.engine().session_cookie()).map(str::to_owned);
    let before = match &held {
        // Only there one person may follow the other without a sign-out.
        Some(held) if auth.offers(Feature::SeveralAccounts) => holder(&auth, held).await,
        _ => None,
    };
    let response = auth.engine().handle(http::Request::from_parts(parts, body)).await;
    if let Some(context) = context {
        follow(&auth, &context, &response, held.as_deref(), before).await;
    }
    Ok(response.map(Body::from))
}

/// The framework's session follows the engine's: a new sign-in gives it a new id, the end of one ends it, and so does somebody
/// else who takes the place of whoever was there.
///
/// It goes by the cookie that is sent, and not by what the engine says while it works, as for handlers of the app (`Current`): an
/// answer that failed takes the engine's cookies back, and then nothing has happened here either.
// spec: MID-8
async fn follow(
    auth: &Auth,
    context: &RequestContext,
    response: &http::Response<Bytes>,
    held: Option<&str>,
    before: Option<Holder>,
) {
    let cookie = auth.engine().session_cookie();
    let set = response.headers().get_all(SET_COOKIE).iter().find_map(|value| value_of(value, cookie));
    match set.as_deref() {
        Some("") if held.is_some() => context.session().invalidate(),
        Some(token) if !token.is_empty() && Some(token) != held => {
            let is_same = match before {
                Some(before) => holder(auth, token).await.is_some_and(|now| now.is_still(&before)),
                None => true,
            };
            if is_same { context.session().regenerate() } else { context.session().invalidate() }
        }
        _ => {}
    }
}

/// Whose session a cookie holds.
async fn holder(auth: &Auth, cookie: &str) -> Option<Holder> {
    let mut headers = HeaderMap::new();
    let value = format!("{}={cookie}", auth.engine().session_cookie());
    headers.insert(COOKIE, HeaderValue::try_from(value).ok()?);
    let api = auth.engine().api_for(&headers);
    let token = api.signed_cookie(&api.session_cookie())?;
    let signed_in = api.session_by_token(&token).await.ok().flatten()?;
    Some(Holder::of(&signed_in))
}

fn value_of(set_cookie: &HeaderValue, cookie: &str) -> Option<String> {
    let (name, rest) = set_cookie.to_str().ok()?.split_once('=')?;
    (name == cookie).then(|| rest.split(';').next().unwrap_or_default().to_owned())
}

/// `/reset-password/:token` as our routes write it.
fn pattern(endpoint: &Endpoint) -> String {
    let parts = endpoint.path().split('/').map(|part| match part.strip_prefix(':') {
        Some(parameter) => format!("{{{parameter}}}"),
        None => part.to_owned(),
    });
    parts.collect::<Vec<_>>().join("/")
}

/// `sign-in.email`, and the method where a path has several.
fn name(endpoint: &Endpoint) -> String {
    let path = endpoint.path().trim_start_matches('/').replace("/:", ".").replace('/', ".");
    format!("{path}.{}", endpoint.method().as_str().to_lowercase())
}

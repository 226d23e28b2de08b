use http::header::REFERRER_POLICY;
use http::{HeaderValue, StatusCode};
use serde::Serialize;

use super::{LINK_OPENED_ELSEWHERE, MagicLinkOptions, SIGN_UP_DISABLED, SpentLink, options, spend};
use crate::{
    Api, ApiError, Endpoint, Field, Reply, Result, SessionView, Shape, SignIn, SignedIn, UserView, codes,
    with_parameter,
};

/// `GET /magic-link/verify`: where the link in the mail leads.
pub(super) fn endpoint() -> Endpoint {
    let endpoint = Endpoint::get("/magic-link/verify", |api| Box::pin(answer(api)))
        .about("Where the link in the mail leads: signs in and goes on, or shows the page that asks first.")
        .takes([
            Field::secret("token"),
            Field::url("callbackURL").optional().about("Without it the session comes back as JSON."),
            Field::url("newUserCallbackURL").optional(),
            Field::url("errorCallbackURL").optional(),
        ]);
    signing_in(endpoint).redirects()
}

/// `POST /magic-link/verify`: spends a link that a page asked about.
pub(super) fn spending_endpoint() -> Endpoint {
    let endpoint = Endpoint::post("/magic-link/verify", |api| Box::pin(answer_page(api)))
        .about("Spends the token of a link, for the page that asked first.")
        .takes([Field::secret("token")])
        .refuses(StatusCode::BAD_REQUEST, [codes::INVALID_TOKEN])
        .refuses(StatusCode::FORBIDDEN, [LINK_OPENED_ELSEWHERE, SIGN_UP_DISABLED]);
    signing_in(endpoint)
}

fn signing_in(endpoint: Endpoint) -> Endpoint {
    let fields = [Field::secret("token"), Field::row("user", "user"), Field::row("session", "session")];
    endpoint.answers(Shape::object(fields)).may_challenge()
}

/// Where a link says to go afterwards.
#[derive(Default)]
struct Targets {
    callback: Option<String>,
    new_user: Option<String>,
    error: Option<String>,
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let token = query.text("token");
    let mut target = |name| query.optional_link(name).filter(|target| !target.is_empty());
    let targets = Targets {
        callback: target("callbackURL"),
        new_user: target("newUserCallbackURL"),
        error: target("errorCallbackURL"),
    };
    query.finish()?;
    for target in [&targets.callback, &targets.new_user, &targets.error] {
        api.check_callback(target.as_deref()).await?;
    }
    let options = options(api)?;
    if let Some(page) = &options.confirm_url {
        return ask_first(page, &token, &targets);
    }
    match spend(api, &token.into()).await {
        Ok(spent) => go_on(api, &options, &targets, &spent),
        Err(error) if error.is_internal() => Err(error),
        Err(error) => go_back(api, &targets, &error),
    }
}

async fn answer_page(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let token = body.secret("token");
    body.finish()?;
    api.check_sign_in_origin().await?;
    let spent = spend(api, &token).await?;
    tell(api, &spent.sign_in)
}

/// Shows the page that asks. Nothing is spent: whoever looks through mails opens links without meaning it.
// spec: KEY-3
fn ask_first(page: &str, token: &str, targets: &Targets) -> Result<Reply> {
    let mut parameters = vec![("token", token)];
    let others = [
        ("callbackURL", &targets.callback),
        ("newUserCallbackURL", &targets.new_user),
        ("errorCallbackURL", &targets.error),
    ];
    parameters.extend(others.into_iter().filter_map(|(name, target)| Some((name, target.as_deref()?))));
    // The address carries the token: no page after it is told where somebody came from.
    let reply = Reply::redirect(&with_parameter(page, &parameters))?;
    Ok(reply.with_header(REFERRER_POLICY, HeaderValue::from_static("no-referrer")))
}

fn go_on(api: &Api, options: &MagicLinkOptions, targets: &Targets, spent: &SpentLink) -> Result<Reply> {
    let Some(callback) = &targets.callback else { return tell(api, &spent.sign_in) };
    let target = match (&spent.sign_in, &options.second_factor_url) {
        (SignIn::Challenged(_), Some(page)) => api.absolute_url(page, &[]),
        (SignIn::Challenged(_), None) => api.absolute_url(callback, &[("twoFactorRedirect", "true")]),
        (SignIn::Done(_), _) if spent.is_new => {
            api.absolute_url(targets.new_user.as_ref().unwrap_or(callback), &[])
        }
        (SignIn::Done(_), _) => api.absolute_url(callback, &[]),
    };
    Reply::redirect(&target)
}

/// Sends somebody back with what is wrong.
fn go_back(api: &Api, targets: &Targets, error: &ApiError) -> Result<Reply> {
    let target = targets.error.as_ref().or(targets.callback.as_ref()).map_or("/", String::as_str);
    let (code, description) = match error.code() {
        Some("FAILED_TO_CREATE_USER") => ("failed_to_create_user", None),
        Some("FAILED_TO_CREATE_SESSION") => ("failed_to_create_session", None),
        Some(code) if error.is(codes::INVALID_TOKEN) || error.is(SIGN_UP_DISABLED) => (code, None),
        // What a hook or a guard refuses says why.
        Some(code) => (code, Some(error.message())),
        None => ("UNKNOWN", None),
    };
    let mut parameters = vec![("error", code)];
    parameters.extend(description.map(|description| ("error_description", description)));
    Reply::redirect(&api.absolute_url(target, &parameters))
}

fn tell(api: &Api, sign_in: &SignIn) -> Result<Reply> {
    #[derive(Serialize)]
    struct Answer<'a> {
        token: &'a str,
        user: UserView<'a>,
        session: SessionView<'a>,
    }
    match sign_in {
        SignIn::Challenged(challenge) => Reply::json(&challenge.body),
        SignIn::Done(signed_in) => {
            let SignedIn { session, user, .. } = signed_in.as_ref();
            let (user, session_view) = (api.user_view(user)?, api.session_view(session)?);
            Reply::json(&Answer { token: &session.token, user, session: session_view })
        }
    }
}

//! Where a provider sends people back to.

use http::StatusCode;
use serde_json::Value;

use super::sign_in_social::SignInSocial;
use crate::social::person::{ProviderIdentity, SignInOutcome};
use crate::social::refusal::Refusal;
use crate::social::state::Flow;
use crate::social::{Grant, ProfileHints, ReadyProvider};
use crate::url::with_parameter;
use crate::wire::may_redirect;
use crate::{Api, ApiError, Endpoint, Field, Media, Reply, Result, SignIn};

/// What a provider may send, in the order in which it is passed on.
const PARAMETERS: [&str; 7] = ["code", "error", "device_id", "error_description", "state", "user", "iss"];

/// `GET /callback/:id`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/callback/:id", |api| Box::pin(answer(api)))
        .about(
            "Where a provider sends the browser back to. It goes on to the page that the sign-in \
             was begun with, or to one that tells the error.",
        )
        .parameter("The id of the provider.")
        .takes(returned_fields())
        .redirects()
}

/// `POST /callback/:id`: a provider that answers with a form (Apple). A browser sends our cookies with a GET only, when it
/// comes from another site, so that it is sent there once more.
pub(super) fn form_endpoint() -> Endpoint {
    Endpoint::post("/callback/:id", |api| Box::pin(async move { answer_form(api) }))
        .accepting(Media::JsonOrForm)
        .about("The same for a provider that answers with a form.")
        .parameter("The id of the provider.")
        .may_take(returned_fields())
        .redirects()
}

/// What may come back, as it is described.
fn returned_fields() -> [Field; 7] {
    PARAMETERS.map(|name| Field::text(name).optional())
}

/// What came back.
#[derive(Default)]
struct Returned {
    code: Option<String>,
    error: Option<String>,
    error_description: Option<String>,
    device_id: Option<String>,
    state: Option<String>,
    user: Option<Value>,
    iss: Option<String>,
}

/// Why somebody is sent back without a session, and where to.
struct SentBack {
    code: String,
    description: Option<String>,
    /// For the log.
    why: String,
    /// Where this flow wanted its errors.
    error_url: Option<String>,
}

impl SentBack {
    fn new(code: &str, why: impl Into<String>) -> Self {
        Self { code: code.to_owned(), description: None, why: why.into(), error_url: None }
    }

    fn to(self, flow: &Flow) -> Self {
        Self { error_url: flow.error_url.clone(), ..self }
    }
}

fn answer_form(api: &Api) -> Result<Reply> {
    let mut body = api.request().read_body().or_empty();
    let mut query = api.request().read_query();
    let mut fields = Vec::new();
    for name in PARAMETERS {
        let (in_body, in_query) = (text_or_json(api, &mut body, name), query.optional_text(name));
        fields.extend(in_query.or(in_body).map(|value| (name, value)));
    }
    body.finish()?;
    query.finish()?;
    let id = crate::encode_component(api.request().parameter().unwrap_or_default()).to_string();
    let query = form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
    Reply::redirect(&api.core.base.endpoint(&format!("/callback/{id}?{query}")))
}

/// Apple sends the person as JSON inside a form; a JSON body may hold it as it is.
fn text_or_json(api: &Api, body: &mut crate::Reader<'_>, name: &str) -> Option<String> {
    match api.request().field(name) {
        Some(user @ Value::Object(_)) if name == "user" => Some(user.to_string()),
        _ => body.optional_text(name),
    }
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let returned = Returned {
        code: query.optional_text("code").filter(|code| !code.is_empty()),
        error: query.optional_text("error").filter(|error| !error.is_empty()),
        error_description: query.optional_text("error_description"),
        device_id: query.optional_text("device_id"),
        state: query.optional_text("state").filter(|state| !state.is_empty()),
        user: query.optional_text("user").and_then(|user| serde_json::from_str(&user).ok()),
        iss: query.optional_text("iss"),
    };
    query.finish()?;
    let id = api.request().parameter().unwrap_or_default().to_owned();
    match api.finish_social(&id, returned).await {
        Ok(target) => Reply::redirect(&target),
        Err(back) => api.send_back(&id, back).await,
    }
}

impl Api {
    /// Does what the callback is for, and gives the address that the browser goes to.
    async fn finish_social(&mut self, id: &str, returned: Returned) -> std::result::Result<String, SentBack> {
        let Some(state) = &returned.state else { return self.without_state(id, &returned).await };
        let flow = match self.take_flow(id, state).await {
            Ok(Ok(flow)) => flow,
            Ok(Err(refusal)) => {
                let back = SentBack::new(refusal.code, refusal.why);
                return Err(SentBack { error_url: refusal.error_url, ..back });
            }
            Err(error) => return Err(of_error(&error)),
        };
        self.finish_flow(id, &flow, returned).await.map_err(|back| back.to(&flow))
    }

    /// Nobody began this here. A provider whose own page has a button for us sends people like that; where the settings allow
    /// it, they begin now, so that nobody is signed in with a code that somebody else got.
    async fn without_state(
        &mut self,
        id: &str,
        returned: &Returned,
    ) -> std::result::Result<String, SentBack> {
        let allowed = |id| {
            let provider = self.options().social_providers.get(id);
            provider.is_some_and(|provider| provider.settings.allow_idp_initiated)
        };
        if returned.code.is_some() && allowed(id) {
            let start = SignInSocial { provider: id.to_owned(), ..SignInSocial::default() };
            return self.sign_in_social(start).await.map(|start| start.url).map_err(|error| of_error(&error));
        }
        Err(SentBack::new("state_not_found", "the provider sent no state back"))
    }

    async fn finish_flow(
        &mut self,
        id: &str,
        flow: &Flow,
        returned: Returned,
    ) -> std::result::Result<String, SentBack> {
        if let Some(error) = returned.error {
            let back = SentBack::new(&error, "the provider sent this error");
            return Err(SentBack { description: returned.error_description, ..back });
        }
        let Some(code) = &returned.code else {
            return Err(SentBack::new("no_code", "the provider sent neither a code nor an error"));
        };
        let Ok(ready) = self.ready_provider(id).await else {
            let why = "there is no such provider, or what it says about itself could not be read";
            return Err(SentBack::new("oauth_provider_not_found", why));
        };
        check_issuer(&ready, returned.iss.as_deref())?;
        let redirect_uri = self.redirect_uri(&ready);
        let grant = Grant::Code {
            code,
            verifier: &flow.code_verifier,
            redirect_uri: &redirect_uri,
            device_id: returned.device_id.as_deref(),
        };
        let social = &self.core.social;
        let tokens = social
            .exchange(&ready, grant)
            .await
            .map_err(|error| SentBack::new(error.callback_code(), error.to_string()))?;
        let hints = ProfileHints {
            nonce: flow.nonce.as_deref(),
            form_user: returned.user.as_ref(),
            ..ProfileHints::default()
        };
        let profile = social
            .profile(&ready, &tokens, hints)
            .await
            .map_err(|error| SentBack::new("unable_to_get_user_info", error.to_string()))?;
        let identity = ProviderIdentity {
            ready: &ready,
            profile: &profile,
            tokens: &tokens,
            request_sign_up: flow.request_sign_up.unwrap_or(false),
            by_id_token: false,
            callback_url: Some(&flow.callback_url),
        };
        if let Some(link) = &flow.link {
            let user = self.linking_user(link).await.map_err(of_refusal)?;
            self.link_person(identity, &user, &link.email).await.map_err(of_refusal)?;
            return Ok(self.safe_target(&flow.callback_url).await);
        }
        let outcome = self.welcome(identity).await.map_err(of_refusal)?;
        let target = self.target_for(&outcome, flow);
        Ok(self.safe_target(&target).await)
    }

    /// Where somebody goes who is signed in, or asked for a second factor.
    // spec: SOC-9
    fn target_for(&self, outcome: &SignInOutcome, flow: &Flow) -> String {
        let callback = match &flow.new_user_url {
            Some(url) if outcome.is_new => url,
            _ => &flow.callback_url,
        };
        match (&outcome.sign_in, &self.options().social.second_factor_url) {
            (SignIn::Done(_), _) => callback.clone(),
            (SignIn::Challenged(_), Some(page)) => page.clone(),
            (SignIn::Challenged(_), None) => with_parameter(callback, &[("twoFactorRedirect", "true")]),
        }
    }

    /// A target that was trusted when the flow began, and still is; our own address otherwise. A flow may have begun before
    /// the options changed, or in another engine with the same database.
    async fn safe_target(&self, target: &str) -> String {
        if may_redirect(self, target).await {
            return target.to_owned();
        }
        tracing::warn!("a social sign-in was to lead to an address that is not trusted: it leads to the app");
        self.core.base.origin().to_owned()
    }

    /// Sends somebody back with a code.
    async fn send_back(&self, provider: &str, back: SentBack) -> Result<Reply> {
        // Known ids only: whatever else stands in the address is a stranger's text.
        let known = self.options().social_providers.get(provider).map(|provider| provider.id.clone());
        tracing::warn!(
            provider = known.as_deref().unwrap_or("unknown"),
            error = back.code,
            why = back.why,
            "a sign-in with a provider was refused"
        );
        let mut target = self.options().on_api_error.error_url.clone();
        if let Some(own) = back.error_url
            && may_redirect(self, &own).await
        {
            target = Some(own);
        }
        let target = target.unwrap_or_else(|| self.core.base.endpoint("/error"));
        let mut parameters = vec![("error", back.code.as_str())];
        parameters.extend(back.description.as_deref().map(|text| ("error_description", text)));
        Reply::redirect(&with_parameter(&target, &parameters))
    }
}

/// A provider that names itself must be the one that was asked (RFC 9207): otherwise a code of one could be taken to another.
// spec: SOC-3
fn check_issuer(ready: &ReadyProvider, iss: Option<&str>) -> std::result::Result<(), SentBack> {
    match (iss, &ready.issuer) {
        (Some(iss), Some(issuer)) if iss != issuer => {
            Err(SentBack::new("issuer_mismatch", "the answer says that it comes from another issuer"))
        }
        (None, Some(_)) if ready.requires_iss => {
            let why = "the answer does not say which issuer it comes from, though the provider says that it does so";
            Err(SentBack::new("issuer_mismatch", why))
        }
        _ => Ok(()),
    }
}

fn of_refusal(refusal: Refusal) -> SentBack {
    match refusal {
        Refusal::Code(refusal) => SentBack::new(refusal.code, refusal.why),
        Refusal::Error(error) => of_error(&error),
    }
}

/// What a hook or the app refuses has its own code. What is a failure of ours is one for the log alone.
fn of_error(error: &ApiError) -> SentBack {
    if error.is_internal() || error.status() == StatusCode::INTERNAL_SERVER_ERROR {
        tracing::error!(%error, "a social sign-in could not be finished");
        return SentBack::new("internal_server_error", "see the error above");
    }
    let code = match error.code() {
        Some("FAILED_TO_CREATE_USER") => "unable_to_create_user",
        Some("FAILED_TO_CREATE_SESSION") => "unable_to_create_session",
        Some(code) => code,
        None => "internal_server_error",
    };
    let description = Some(error.message().to_owned()).filter(|message| !message.is_empty());
    SentBack { description, ..SentBack::new(code, error.to_string()) }
}

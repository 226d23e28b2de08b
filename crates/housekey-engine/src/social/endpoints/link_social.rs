use http::StatusCode;
use serde_json::{Map, Value};

use super::id_token::{self, IdToken};
use super::start::{SocialStart, StartOptions};
use super::start_body::{self, StartBody};
use crate::social::person::ProviderIdentity;
use crate::social::refusal::Refusal;
use crate::social::state::Link;
use crate::wire::check_target;
use crate::{Api, ApiError, Endpoint, Reply, Result, codes};

/// Somebody who is signed in and wants to sign in with a provider, too.
#[derive(Clone, Debug, Default)]
pub struct LinkSocial {
    /// The provider's id.
    pub provider: String,
    /// Where the browser goes in the end; the app's own address when unset. Like the other it must be trusted.
    pub callback_url: Option<String>,
    /// Where it goes when something goes wrong, with `error` and `error_description`.
    pub error_callback_url: Option<String>,
    /// Scopes besides those that are configured.
    pub scopes: Vec<String>,
    /// Whom the provider should suggest.
    pub login_hint: Option<String>,
    /// More parameters of the provider's address.
    pub additional_params: Vec<(String, String)>,
    /// What the flow keeps for whoever reads its state.
    pub additional_data: Map<String, Value>,
}

/// `POST /link-social`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/link-social", |api| Box::pin(answer(api)))
        .about("Begins to connect an account of a provider with whoever is signed in.")
        .takes(start_body::fields())
        .answers(start_body::shape())
        .needs_session()
        .refuses(StatusCode::NOT_FOUND, [codes::PROVIDER_NOT_FOUND])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let body = StartBody::read(api)?;
    if let Some(id_token) = body.id_token {
        api.link_id_token(&body.provider, id_token).await?;
        return Reply::json(&id_token::linked());
    }
    let start_options = body.start_options;
    let start = api
        .link_social(LinkSocial {
            provider: body.provider,
            callback_url: body.callback_url,
            error_callback_url: body.error_callback_url,
            scopes: start_options.scopes,
            login_hint: start_options.login_hint,
            additional_params: start_options.additional_params,
            additional_data: start_options.additional_data,
        })
        .await?;
    start_body::answer(&start, body.disable_redirect)
}

impl Api {
    /// Begins to connect an account of a provider with whoever is signed in: keeps the state and says where the browser has
    /// to go.
    pub async fn link_social(&mut self, input: LinkSocial) -> Result<SocialStart> {
        let signed_in = self.require_stored_session().await?;
        for (target, code) in [
            (&input.callback_url, codes::INVALID_CALLBACK_URL),
            (&input.error_callback_url, codes::INVALID_ERROR_CALLBACK_URL),
        ] {
            check_target(self, target.as_deref(), code).await?;
        }
        let ready = self.ready_provider(&input.provider).await?;
        let mut flow = self.new_flow(&ready, input.callback_url);
        flow.error_url = input.error_callback_url.filter(|url| !url.is_empty());
        let sealed = self.encrypt_session_token(&signed_in.session.token);
        flow.link = Some(Link {
            user_id: signed_in.user.id.clone(),
            email: signed_in.user.email.clone(),
            encrypted_session_token: Some(sealed.ok_or_else(|| {
                ApiError::internal("a session token could not be encrypted", "the cipher refused it")
            })?),
        });
        let start_options = StartOptions {
            scopes: input.scopes,
            login_hint: input.login_hint,
            additional_params: input.additional_params,
            additional_data: input.additional_data,
        };
        self.begin_flow(&ready, flow, start_options).await
    }

    /// Connects an account with whoever is signed in, by an id token that a client got from the provider by itself.
    pub async fn link_id_token(&mut self, provider: &str, id_token: IdToken) -> Result<()> {
        let signed_in = self.require_stored_session().await?;
        let ready = self.ready_provider(provider).await?;
        let (mut tokens, profile) = self.profile_of_id_token(&ready, &id_token).await?;
        tokens.refresh_token = id_token.refresh_token;
        if crate::social::person::address(&profile).is_none() {
            return Err(codes::USER_EMAIL_NOT_FOUND.unauthorized());
        }
        let identity = ProviderIdentity {
            ready: &ready,
            profile: &profile,
            tokens: &tokens,
            request_sign_up: false,
            by_id_token: true,
            callback_url: None,
        };
        self.link_person(identity, &signed_in.user, &signed_in.user.email).await.map_err(link_refusal)
    }
}

fn link_refusal(refusal: Refusal) -> ApiError {
    let refusal = match refusal {
        Refusal::Error(error) => return error,
        Refusal::Code(refusal) => refusal,
    };
    tracing::warn!(error = refusal.code, why = refusal.why, "an account was not connected");
    match refusal.code {
        "email_does_not_match" => codes::LINKING_DIFFERENT_EMAILS_NOT_ALLOWED.unauthorized(),
        "account_already_linked_to_different_user" => {
            codes::SOCIAL_ACCOUNT_ALREADY_LINKED.with(StatusCode::CONFLICT)
        }
        "unable_to_link_account" => codes::LINKING_NOT_ALLOWED.unauthorized(),
        _ => codes::LINKING_FAILED.with(StatusCode::EXPECTATION_FAILED),
    }
}

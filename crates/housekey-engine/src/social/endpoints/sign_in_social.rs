use http::StatusCode;
use serde::Serialize;
use serde_json::{Map, Value};

use super::id_token::{IdToken, id_token_refusal};
use super::start::{SocialStart, StartOptions};
use super::start_body::{self, StartBody};
use crate::models::UserView;
use crate::social::person::{ProviderIdentity, SignInOutcome};
use crate::wire::check_target;
use crate::{Api, Endpoint, Field, Reply, Result, Shape, SignIn, codes};

/// Somebody who wants to sign in with a provider.
#[derive(Clone, Debug, Default)]
pub struct SignInSocial {
    /// The provider's id.
    pub provider: String,
    /// Where the browser goes in the end; the app's own address when unset. Like the other two it must be trusted.
    pub callback_url: Option<String>,
    /// Where it goes when something goes wrong, with `error` and `error_description`; `onAPIError.errorURL` when unset.
    pub error_callback_url: Option<String>,
    /// Where it goes when a user was made; `callback_url` when unset.
    pub new_user_callback_url: Option<String>,
    /// Scopes besides those that are configured.
    pub scopes: Vec<String>,
    /// Whom the provider should suggest.
    pub login_hint: Option<String>,
    /// Whether a user may be made where the provider's settings want to be asked for that.
    pub request_sign_up: Option<bool>,
    /// More parameters of the provider's address.
    pub additional_params: Vec<(String, String)>,
    /// What the flow keeps for whoever reads its state.
    pub additional_data: Map<String, Value>,
}

/// `POST /sign-in/social`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/sign-in/social", |api| Box::pin(answer(api)))
        .about(
            "Begins a sign-in with a provider, or ends it at once with an id token that an app \
             got from the provider itself.",
        )
        .takes(start_body::fields())
        .answers(Shape::one_of([
            start_body::shape(),
            Shape::object([Field::boolean("redirect"), Field::text("token"), Field::row("user", "user")]),
        ]))
        .may_challenge()
        .refuses(StatusCode::NOT_FOUND, [codes::PROVIDER_NOT_FOUND])
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let body = StartBody::read(api)?;
    if let Some(id_token) = body.id_token {
        let sign_in = api.sign_in_id_token(&body.provider, id_token, body.request_sign_up).await?;
        return signed_in(api, &sign_in);
    }
    let start_options = body.start_options;
    let start = api
        .sign_in_social(SignInSocial {
            provider: body.provider,
            callback_url: body.callback_url,
            error_callback_url: body.error_callback_url,
            new_user_callback_url: body.new_user_callback_url,
            scopes: start_options.scopes,
            login_hint: start_options.login_hint,
            request_sign_up: body.request_sign_up,
            additional_params: start_options.additional_params,
            additional_data: start_options.additional_data,
        })
        .await?;
    start_body::answer(&start, body.disable_redirect)
}

fn signed_in(api: &Api, sign_in: &SignIn) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<'a> {
        redirect: bool,
        token: &'a str,
        user: UserView<'a>,
    }
    match sign_in {
        SignIn::Challenged(challenge) => Reply::json(&challenge.body),
        SignIn::Done(signed_in) => Reply::json(&Body {
            redirect: false,
            token: &signed_in.session.token,
            user: api.user_view(&signed_in.user)?,
        }),
    }
}

impl Api {
    /// Begins a sign-in with a provider: keeps its state and says where the browser has to go.
    pub async fn sign_in_social(&mut self, input: SignInSocial) -> Result<SocialStart> {
        for (target, code) in [
            (&input.callback_url, codes::INVALID_CALLBACK_URL),
            (&input.error_callback_url, codes::INVALID_ERROR_CALLBACK_URL),
            (&input.new_user_callback_url, codes::INVALID_NEW_USER_CALLBACK_URL),
        ] {
            check_target(self, target.as_deref(), code).await?;
        }
        let ready = self.ready_provider(&input.provider).await?;
        let mut flow = self.new_flow(&ready, input.callback_url);
        flow.error_url = input.error_callback_url.filter(|url| !url.is_empty());
        flow.new_user_url = input.new_user_callback_url.filter(|url| !url.is_empty());
        flow.request_sign_up = input.request_sign_up;
        let start_options = StartOptions {
            scopes: input.scopes,
            login_hint: input.login_hint,
            additional_params: input.additional_params,
            additional_data: input.additional_data,
        };
        self.begin_flow(&ready, flow, start_options).await
    }

    /// Signs in with an id token that a client got from the provider by itself: a mobile app, a button of the provider's.
    ///
    /// The token must be meant for one of our client ids. A client that began with a nonce of its own says it, so that a token
    /// that was stolen elsewhere cannot be used here.
    pub async fn sign_in_id_token(
        &mut self,
        provider: &str,
        id_token: IdToken,
        request_sign_up: Option<bool>,
    ) -> Result<SignIn> {
        let ready = self.ready_provider(provider).await?;
        let (tokens, profile) = self.profile_of_id_token(&ready, &id_token).await?;
        if crate::social::person::address(&profile).is_none() {
            return Err(codes::USER_EMAIL_NOT_FOUND.unauthorized());
        }
        let identity = ProviderIdentity {
            ready: &ready,
            profile: &profile,
            tokens: &tokens,
            request_sign_up: request_sign_up.unwrap_or(false),
            by_id_token: true,
            callback_url: None,
        };
        match self.welcome(identity).await {
            Ok(SignInOutcome { sign_in, .. }) => Ok(sign_in),
            Err(refusal) => Err(id_token_refusal(&ready, refusal)),
        }
    }
}

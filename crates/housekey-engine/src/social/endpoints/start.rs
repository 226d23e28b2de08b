//! The beginning of a flow: the state is kept, and the browser told where to go.

use std::sync::Arc;

use serde_json::{Map, Value};

use crate::social::state::Flow;
use crate::social::{ReadyProvider, Start};
use crate::{Api, ApiError, Result, codes, random};

/// The most that a flow keeps for the client, in bytes of JSON: anybody may begin one.
pub(super) const MOST_ADDITIONAL_DATA: usize = 8 * 1024;

/// Where a browser has to go to sign in at a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocialStart {
    /// The provider's page. The cookies that the [`Api`] sets must reach the same browser.
    pub url: String,
}

/// What one start has of its own.
#[derive(Default)]
pub(super) struct StartOptions {
    pub(super) scopes: Vec<String>,
    pub(super) login_hint: Option<String>,
    pub(super) additional_params: Vec<(String, String)>,
    pub(super) additional_data: Map<String, Value>,
}

impl Api {
    /// A provider that can be used now, or 404.
    pub(super) async fn ready_provider(&self, id: &str) -> Result<Arc<ReadyProvider>> {
        let core = Arc::clone(&self.core);
        core.social.ready(id).await.ok_or_else(|| codes::PROVIDER_NOT_FOUND.not_found())
    }

    /// Where a provider sends people back to.
    pub(super) fn redirect_uri(&self, ready: &ReadyProvider) -> String {
        let provider = &ready.provider;
        let own = provider.settings.redirect_uri.clone().filter(|uri| !uri.is_empty());
        own.unwrap_or_else(|| self.core.base.endpoint(&format!("/callback/{}", provider.id)))
    }

    /// A flow that ends at the app's own address unless it is told otherwise.
    pub(super) fn new_flow(&self, ready: &ReadyProvider, callback_url: Option<String>) -> Flow {
        let callback_url = callback_url.filter(|url| !url.is_empty());
        let callback_url = callback_url.unwrap_or_else(|| self.core.base.origin().to_owned());
        Flow::new(&ready.provider.id, callback_url, self.clock().unix_millis())
    }

    /// Keeps a flow and gives the provider's page.
    pub(super) async fn begin_flow(
        &mut self,
        ready: &ReadyProvider,
        mut flow: Flow,
        start_options: StartOptions,
    ) -> Result<SocialStart> {
        flow.additional = start_options.additional_data;
        flow.nonce = ready.sends_nonce().then(|| random::url_safe(32));
        let redirect_uri = self.redirect_uri(ready);
        let url = ready.authorization_url(&Start {
            state: &flow.state,
            verifier: &flow.code_verifier,
            nonce: flow.nonce.as_deref(),
            redirect_uri: &redirect_uri,
            scopes: &start_options.scopes,
            login_hint: start_options.login_hint.as_deref(),
            additional: &start_options.additional_params,
        });
        let url = url.map_err(|error| ApiError::internal("a social sign-in could not be started", error))?;
        self.keep_flow(&flow).await?;
        Ok(SocialStart { url })
    }
}

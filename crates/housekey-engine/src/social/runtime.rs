//! The providers of one engine, at work.

use std::fmt;
use std::sync::Arc;

use serde_json::Value;

use super::discovery::Discovered;
use super::id_token::{self, Sender};
use super::{Grant, Jwks, Provider, ProviderSpec, SocialError, TokenCall, TokenSet};
use crate::http_client::{HttpClient, TlsClient};
use crate::jose::JwksCache;
use crate::options::EngineOptions;
use crate::{Clock, Secret};

/// All providers of an engine, and what they share.
pub(crate) struct Social {
    pub(super) client: Arc<dyn HttpClient>,
    pub(super) clock: Clock,
    pub(super) keys: JwksCache,
    providers: Vec<Entry>,
}

enum Entry {
    Ready(Arc<ReadyProvider>),
    Discovered(String, Arc<Discovered>),
}

/// A provider that can be spoken to: its spec is complete.
#[derive(Debug)]
pub(crate) struct ReadyProvider {
    pub(crate) provider: Provider,
    pub(crate) spec: ProviderSpec,
    /// Who it says to be, if it describes itself.
    pub(crate) issuer: Option<String>,
    /// Whether its answers always say who they are from (RFC 9207).
    pub(crate) requires_iss: bool,
}

impl Social {
    pub(crate) fn new(options: &EngineOptions, clock: Clock) -> Self {
        let client = match &*options.social.http_client {
            Some(client) => Arc::clone(client),
            None => Arc::new(TlsClient::new(options.social.allow_private_addresses)),
        };
        let providers = options.social_providers.iter().cloned().map(Entry::of).collect();
        Self { keys: JwksCache::new(Arc::clone(&client), clock.clone()), client, clock, providers }
    }

    /// A provider by its id, ready to be spoken to. `None` when there is none, and while one that describes itself cannot be
    /// asked: the log says which.
    pub(crate) async fn ready(&self, id: &str) -> Option<Arc<ReadyProvider>> {
        match self.providers.iter().find(|entry| entry.id() == id)? {
            Entry::Ready(ready) => Some(Arc::clone(ready)),
            Entry::Discovered(_, discovered) => discovered.ready(&self.client, &self.clock).await.ok(),
        }
    }

    /// Asks a provider for its discovery document now, past what is kept: its issuer. `Ok(None)` when it has none to ask for.
    pub(crate) async fn check(&self, id: &str) -> Result<Option<String>, SocialError> {
        match self.providers.iter().find(|entry| entry.id() == id) {
            Some(Entry::Discovered(_, discovered)) => {
                let ready = discovered.fetch(&*self.client).await?;
                Ok(ready.issuer.clone())
            }
            Some(Entry::Ready(_)) => Ok(None),
            None => Err(SocialError::refused(format!("there is no provider `{id}`"))),
        }
    }

    /// Tokens for the code of a callback.
    pub(crate) async fn exchange(
        &self,
        ready: &ReadyProvider,
        grant: Grant<'_>,
    ) -> Result<TokenSet, SocialError> {
        let call = TokenCall {
            client: &*self.client,
            provider: &ready.provider,
            spec: &ready.spec,
            now: self.clock.now(),
            grant,
        };
        call.tokens().await
    }

    /// New tokens for a refresh token. They may come without a new refresh token: the old one stays good then.
    pub(crate) async fn refresh(
        &self,
        ready: &ReadyProvider,
        token: &Secret,
    ) -> Result<TokenSet, SocialError> {
        self.exchange(ready, Grant::Refresh(token)).await
    }

    /// The claims of an id token that a client brings, if it holds. `None` for an opaque one that the provider has to be
    /// asked about.
    pub(crate) async fn verify_id_token(
        &self,
        ready: &ReadyProvider,
        token: &Secret,
        nonce: Option<&str>,
    ) -> Result<Option<Value>, SocialError> {
        if !ready.takes_id_tokens() {
            return Err(SocialError::id_token("the provider takes no id tokens from clients"));
        }
        self.verify(ready, token, nonce, Sender::Client).await
    }

    pub(super) async fn verify(
        &self,
        ready: &ReadyProvider,
        token: &Secret,
        nonce: Option<&str>,
        from: Sender,
    ) -> Result<Option<Value>, SocialError> {
        let now = self.clock.now().unix_timestamp();
        id_token::verify(ready, &self.keys, token, nonce, from, now).await
    }
}

impl fmt::Debug for Social {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.providers.iter().map(Entry::id)).finish()
    }
}

impl Entry {
    fn of(provider: Provider) -> Self {
        let spec = provider.spec();
        match spec.discovery {
            Some(discovery) => {
                Self::Discovered(provider.id.clone(), Arc::new(Discovered::new(provider, discovery)))
            }
            None => {
                Self::Ready(Arc::new(ReadyProvider { provider, spec, issuer: None, requires_iss: false }))
            }
        }
    }

    fn id(&self) -> &str {
        match self {
            Self::Ready(ready) => &ready.provider.id,
            Self::Discovered(id, _) => id,
        }
    }
}

impl ReadyProvider {
    /// Whether a start has to make a nonce, which the id token has to bring back.
    pub(crate) fn sends_nonce(&self) -> bool {
        self.spec.nonce
    }

    /// Whether clients may sign in with an id token.
    pub(crate) fn takes_id_tokens(&self) -> bool {
        let settings = &self.provider.settings;
        let verifies = |spec: &super::IdTokenSpec| spec.sign_in && (spec.keys != Jwks::None || spec.opaque);
        !settings.disable_id_token_sign_in
            && (settings.verify_id_token.is_set() || self.spec.id_token.as_ref().is_some_and(verifies))
    }

    /// Whether an access token can be refreshed.
    pub(crate) fn refreshes(&self) -> bool {
        self.spec.refreshes || self.provider.settings.refresh_access_token.is_set()
    }

    #[cfg(test)]
    pub(crate) fn without_discovery(provider: Provider) -> Self {
        Self { spec: provider.spec(), provider, issuer: None, requires_iss: false }
    }
}

use std::sync::Arc;
use std::time::Duration;

use housekey_auth::{Auth, identify_again, session};
use housekey_core::{Clock, Result, Scope};
use housekey_http::RequestContext;
use tokio::time::timeout;

use crate::Live;
use crate::hub::{End, Refusal, Who};

/// How long it may take to find out who somebody is and what they may hear.
const LOOKUP_TIMEOUT: Duration = Duration::from_secs(10);

/// Whoever opened a stream.
#[derive(Clone)]
pub(super) struct Visitor {
    live: Live,
    request: Arc<RequestContext>,
    session: Option<Arc<housekey_auth::Session>>,
}

impl Visitor {
    /// Whoever sent the present request.
    pub(super) fn present(live: &Live, request: Arc<RequestContext>) -> Self {
        Self { live: live.clone(), request, session: session() }
    }

    pub(super) fn live(&self) -> &Live {
        &self.live
    }

    pub(super) fn who(&self) -> Who {
        match &self.session {
            Some(session) => Who::Member(session.user_id.clone()),
            None => Who::Guest(self.request.client_ip().map(|ip| ip.to_string()).unwrap_or_default()),
        }
    }

    /// How long their session still lasts, by what was known when the stream began; `None` when that is over and it was renewed.
    pub(super) fn lasts(&self) -> Option<Duration> {
        let clock = self.request.services().get::<Clock>().map_or_else(Clock::system, Arc::unwrap_or_clone);
        let left = self.session.as_ref()?.expires_at - clock.now();
        Duration::try_from(left).ok().filter(|left| !left.is_zero())
    }

    /// Asks for each of these channels whether it is for them, by what holds now: the rows, not what was true when the stream began.
    pub(super) async fn ask(&self, channels: &[String]) -> Result<Vec<Result<(), Refusal>>, End> {
        let asking = async {
            let now = self.now().await?;
            now.enter(async {
                let mut answers = Vec::with_capacity(channels.len());
                for channel in channels {
                    answers.push(self.ask_one(channel).await?);
                }
                Ok(answers)
            })
            .await
        };
        timeout(LOOKUP_TIMEOUT, asking).await.unwrap_or_else(|_| {
            tracing::error!("who may hear a channel was not found out within {LOOKUP_TIMEOUT:?}");
            Err(End::Unavailable)
        })
    }

    /// Whether the present user may hear a channel. A rule that fails is no refusal: nobody knows, so the stream ends and
    /// the client tries again.
    async fn ask_one(&self, channel: &str) -> Result<Result<(), Refusal>, End> {
        let Err(error) = self.live.channels().authorize(channel).await else { return Ok(Ok(())) };
        if error.status().is_server_error() {
            tracing::error!(channel, %error, "who may hear a channel could not be found out");
            return Err(End::Unavailable);
        }
        let (status, message) = (error.status().as_u16(), error.message().to_owned());
        Ok(Err(Refusal { channel: channel.to_owned(), status, message }))
    }

    /// What surrounds a request of theirs now.
    async fn now(&self) -> Result<Scope, End> {
        let services = self.request.services();
        if services.get::<Auth>().is_none() {
            return Ok(Scope::with(services.clone(), Arc::clone(&self.request)));
        }
        let scope = identify_again(&self.request).await.map_err(|error| {
            tracing::error!(%error, "who listens could not be found out");
            End::Unavailable
        })?;
        let now = scope.clone().run(session);
        // Somebody who was nobody stays nobody: their request brought nothing else.
        match (&self.session, now) {
            (None, None) => Ok(scope),
            (Some(before), Some(now)) if before.id == now.id => Ok(scope),
            _ => Err(End::SignedOut),
        }
    }
}

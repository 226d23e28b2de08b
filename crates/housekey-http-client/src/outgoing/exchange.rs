//! One request, from the first try to the answer behind the last redirect.

use std::time::{Duration, Instant};

use tokio::time::timeout;

use super::hop::{Answer, AnswerBody, Hop, Left, Read};
use super::{HttpCall, HttpFake, redirect, retry};
use crate::body::{RequestBody, too_long};
use crate::tls::{Outgoing, TlsClient, check_address, too_slow};
use crate::{HttpError, HttpRequest};

impl HttpCall {
    pub(super) async fn exchange(self, read: Read) -> Result<Answer, HttpError> {
        let Self { http, method, url, headers, body } = self;
        let allow_private_addresses = http.allow_private_addresses;
        let mut hop = Hop { method, url: url?, headers, body, allow_private_addresses };
        let conversation = Conversation {
            fake: http.transport.fake(),
            client: http.transport.client.as_ref(),
            time_limit: http.timeout,
            largest: http.largest,
            retries: http.retries,
            read,
        };
        for _ in 0..=http.redirects {
            // A body in pieces is gone when it was sent.
            let kept = hop.body.again();
            let (answer, left) = conversation.hold(hop).await?;
            if http.redirects == 0 {
                return Ok(answer);
            }
            match redirect::next(left, kept, &answer)? {
                Some(next) => hop = next,
                None => return Ok(answer),
            }
        }
        Err(HttpError::answer(format!("more than {} redirects in a row", http.redirects)))
    }
}

struct Conversation<'a> {
    fake: Option<HttpFake>,
    client: Option<&'a TlsClient>,
    time_limit: Duration,
    largest: usize,
    retries: u32,
    read: Read,
}

impl Conversation<'_> {
    /// Asks one host, again where that may help.
    async fn hold(&self, hop: Hop) -> Result<(Answer, Left), HttpError> {
        let may_repeat = retry::may_repeat(&hop.method, &hop.headers);
        let Hop { method, url, headers, body, allow_private_addresses } = hop;
        let left = Left { method, url, headers, allow_private_addresses };
        let mut body = Some(body);
        for attempt in 0.. {
            let Some(now) = body.take() else { break };
            body = now.again().filter(|_| may_repeat && attempt < self.retries);
            let outcome = self.attempt(&left, now).await;
            let wait = match body {
                Some(_) => retry::wait(&outcome, attempt),
                None => None,
            };
            let Some(wait) = wait else { return Ok((outcome?, left)) };
            if self.fake.is_none() {
                tokio::time::sleep(wait).await;
            }
        }
        Err(HttpError::refused("there is nothing to send"))
    }

    async fn attempt(&self, left: &Left, body: RequestBody) -> Result<Answer, HttpError> {
        let origin = left.url.origin().ascii_serialization();
        let started = Instant::now();
        let asked = async {
            match (&self.fake, self.client) {
                (Some(fake), _) => self.ask_fake(fake, left, body).await,
                (None, Some(client)) => self.ask(client, left, body).await,
                (None, None) => Err(HttpError::refused("there is nobody to ask with")),
            }
        };
        let outcome =
            timeout(self.time_limit, asked).await.unwrap_or_else(|_| Err(too_slow(&origin, self.time_limit)));
        // Neither path nor query: both may hold a secret.
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        match &outcome {
            Ok(answer) => tracing::debug!(
                target: "housekey::http_client", method = %left.method, host = origin, status = answer.status.as_u16(), ms,
                "asked another host"
            ),
            Err(error) => tracing::debug!(
                target: "housekey::http_client", method = %left.method, host = origin, %error, ms,
                "another host did not answer"
            ),
        }
        outcome
    }

    async fn ask(&self, client: &TlsClient, left: &Left, body: RequestBody) -> Result<Answer, HttpError> {
        let outgoing = Outgoing {
            method: left.method.clone(),
            url: left.url.as_str(),
            headers: left.headers.clone(),
            body,
            allow_private_addresses: left.allow_private_addresses,
        };
        let (head, body) = client.open(outgoing).await?;
        let host = left.url.host_str().unwrap_or_default().to_owned();
        let body = match self.read {
            Read::Whole => AnswerBody::Whole(body.collect(&host, self.largest).await?),
            Read::Head => AnswerBody::Coming { body, host, time_limit: self.time_limit },
        };
        Ok(Answer { status: head.status, headers: head.headers, body })
    }

    async fn ask_fake(&self, fake: &HttpFake, left: &Left, body: RequestBody) -> Result<Answer, HttpError> {
        check_address(left.url.as_str(), left.allow_private_addresses)?;
        let request = HttpRequest {
            method: left.method.clone(),
            url: left.url.to_string(),
            headers: left.headers.clone(),
            body: body.collect().await?,
        };
        let answer = fake.ask(&request)?;
        if self.read == Read::Whole && answer.body.len() > self.largest {
            return Err(too_long(left.url.host_str().unwrap_or_default(), self.largest));
        }
        Ok(Answer { status: answer.status, headers: answer.headers, body: AnswerBody::Whole(answer.body) })
    }
}

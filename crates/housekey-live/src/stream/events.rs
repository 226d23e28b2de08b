//! Server-sent events.
//!
//! ```text
//! GET /api/live?channels=books.1,news
//! accept: text/event-stream
//! last-event-id: …            what a browser sends when it comes back
//!
//! retry: 2000
//! event: open                 with the position of now as its id
//!
//! id: …                       a message
//! data: {"channel":"books.1","data":…}
//!
//! event: missed               something may be missing: fetch again
//! event: close                and why: {"reason":"stopping"}
//! ```

use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;

use axum::body::Body;
use bytes::Bytes;
use futures_util::stream;
use housekey_core::{Error, Result, random};
use housekey_http::Response;
use housekey_http::server::Stopping;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use serde_json::json;
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at};

use super::recheck::RecheckTask;
use super::visitor::Visitor;
use crate::hub::{End, Item, Listener, StreamEvent};

pub(super) async fn answer(
    parts: &Parts,
    visitor: Visitor,
    listener: Listener,
    stopping: Stopping,
) -> Result<Response> {
    let config = visitor.live().config();
    let (channels, after) = asked_for(parts, config.max_channels)?;
    for answer in visitor.ask(&channels).await.map_err(refuse_stream)? {
        answer.map_err(|refusal| {
            let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::FORBIDDEN);
            Error::new(status, refusal.message)
        })?;
    }
    listener.subscriptions().add(&channels, after.as_deref());
    let heartbeat = Duration::from_secs(config.heartbeat.max(1));
    let recheck = RecheckTask::start(visitor, listener.subscriptions().clone());
    let mut ticks = interval_at(Instant::now() + heartbeat, heartbeat);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let stopping = Box::pin(async move { stopping.wait().await });
    let events = Events { next: Next::Greeting, listener, stopping, ticks, _recheck: recheck };
    let body = stream::unfold(events, async |mut events| {
        let chunk = events.chunk().await?;
        Some((Ok::<_, Infallible>(chunk), events))
    });
    let mut response = Response::new(Body::from_stream(body));
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/event-stream"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // A proxy that collects what it sends on would make this anything but live.
    headers.insert(HeaderName::from_static("x-accel-buffering"), HeaderValue::from_static("no"));
    Ok(response)
}

/// The channels in the address, and the last event that the browser saw.
fn asked_for(parts: &Parts, most: usize) -> Result<(Vec<String>, Option<String>)> {
    let mut channels: Vec<String> = Vec::new();
    for (key, value) in form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()) {
        if key == "channels" {
            channels.extend(value.split(',').map(str::to_owned));
        }
        if channels.len() > most {
            return Err(Error::bad_request(format!("A stream has {most} channels at most.")));
        }
    }
    channels.sort_unstable();
    channels.dedup();
    if channels.is_empty() {
        return Err(Error::bad_request("Say which channels to listen to: `?channels=news,books.1`."));
    }
    let after = parts.headers.get("last-event-id").and_then(|id| id.to_str().ok());
    Ok((channels, after.filter(|id| !id.is_empty()).map(str::to_owned)))
}

/// Why a stream does not even begin.
fn refuse_stream(end: End) -> Error {
    match end {
        End::SignedOut => Error::unauthenticated(),
        _ => Error::unavailable(Duration::from_secs(5)),
    }
}

struct Events {
    next: Next,
    listener: Listener,
    stopping: Pin<Box<dyn Future<Output = ()> + Send>>,
    ticks: Interval,
    _recheck: RecheckTask,
}

enum Next {
    Greeting,
    Talk,
    Nothing,
}

impl Events {
    /// What is sent next; `None` when everything was.
    async fn chunk(&mut self) -> Option<Bytes> {
        match self.next {
            Next::Greeting => {
                self.next = Next::Talk;
                Some(format!("retry: 2000\n{}event: open\ndata: {{}}\n\n", self.position()).into())
            }
            Next::Talk => Some(self.talk().await),
            Next::Nothing => None,
        }
    }

    async fn talk(&mut self) -> Bytes {
        tokio::select! {
            biased;
            () = &mut self.stopping => self.close(End::Stopping),
            heard = self.listener.next() => match heard {
                StreamEvent::Item(Item::Message(message)) => message.event.clone(),
                StreamEvent::Item(Item::Missed) => format!("{}event: missed\ndata: {{}}\n\n", self.position()).into(),
                StreamEvent::Item(Item::Refused(refusal)) => {
                    self.next = Next::Nothing;
                    let data = json!({ "reason": "refused", "channel": refusal.channel, "status": refusal.status });
                    format!("event: close\ndata: {data}\n\n").into()
                }
                StreamEvent::End(end) => self.close(end),
            },
            // Without data nothing happens in the browser but that it remembers the position.
            _ = self.ticks.tick() => match self.position() {
                position if position.is_empty() => Bytes::from_static(b":\n\n"),
                position => format!("{position}\n").into(),
            },
        }
    }

    fn position(&self) -> String {
        self.listener.position().map(|position| format!("id: {position}\n")).unwrap_or_default()
    }

    /// Says why, and when to come back: not all at the same moment.
    fn close(&mut self, end: End) -> Bytes {
        self.next = Next::Nothing;
        let retry = 500 + u16::from_be_bytes(random::bytes::<2>()) % 4_500;
        format!("retry: {retry}\nevent: close\ndata: {}\n\n", json!({ "reason": end.reason() })).into()
    }
}

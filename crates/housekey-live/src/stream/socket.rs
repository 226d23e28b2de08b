//! Websockets. Each frame is a JSON object in text.
//!
//! ```text
//! → {"subscribe":["books.1","news"],"after":"…"}      `after`: the last id that was seen, for who comes back
//! ← {"type":"subscribed","channels":["news"],"id":"…","heartbeat":20}
//!                                                       `id`: the position of now, if nothing is on its way
//! ← {"type":"refused","channel":"books.1","status":403,"message":"…"}
//! ← {"type":"message","id":"…","channel":"news","data":…}
//! ← {"type":"missed"}                                   something may be missing: fetch again
//! ← {"type":"ping","id":"…"}                            a sign of life
//! → {"unsubscribe":["news"]}
//! ```
//!
//! The code of the last frame says why it is over: 1001 the server stops, 1013 try again, 4400 nonsense, 4401 signed out, 4408 too slow,
//! 4429 too much.

use std::time::Duration;

use axum::extract::ws::Utf8Bytes;
use bytes::Bytes;
use housekey_http::Response;
use housekey_http::websocket::{CloseFrame, Message, SocketContext, WebSocket, WebSocketUpgrade};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::time::{Instant, Interval, MissedTickBehavior, interval_at, timeout};

use super::recheck::RecheckTask;
use super::visitor::Visitor;
use crate::hub::{End, Item, Listener, Refusal, StreamEvent};

/// The longest frame that a client may send: names of channels, and not many.
const LONGEST_FRAME: usize = 16 * 1024;

/// How often a client may say something within [`SPAN`].
const MOST_FRAMES: u32 = 100;
/// How many channels it may name meanwhile, each of which may be a lookup. Where streams have many channels it is ten times as many as
/// one may have.
const MOST_NAMES: usize = 500;
const SPAN: Duration = Duration::from_secs(10);

/// How often somebody is asked about who is changed meanwhile, again and again.
const MOST_LOOKS: u32 = 5;

/// How long the last frame may take to a client that does not read.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// What a client may say.
#[derive(Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Wish {
    Subscribe { subscribe: Vec<String>, after: Option<String> },
    Unsubscribe { unsubscribe: Vec<String> },
}

pub(super) fn answer(upgrade: WebSocketUpgrade, visitor: Visitor, listener: Listener) -> Response {
    // It was looked at where the stream was opened, for both kinds.
    let origins = visitor.live().config().allowed_origins.clone();
    upgrade.allow_origins(origins).max_message_size(LONGEST_FRAME).on_upgrade(
        async move |socket: WebSocket, _: SocketContext| {
            let heartbeat = Duration::from_secs(visitor.live().config().heartbeat.max(1));
            let mut ticks = interval_at(Instant::now() + heartbeat, heartbeat);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            let _recheck = RecheckTask::start(visitor.clone(), listener.subscriptions().clone());
            let received = Received { since: Instant::now(), frames: 0, names: 0 };
            let mut talk = Talk { socket, visitor, listener, ticks, is_alive: true, received };
            if let Err(Over::Because(end)) = talk.run().await {
                talk.say_goodbye(end).await;
            }
        },
    )
}

struct Talk {
    socket: WebSocket,
    visitor: Visitor,
    listener: Listener,
    ticks: Interval,
    /// Whether the client gave a sign of life since the last one was asked for.
    is_alive: bool,
    received: Received,
}

/// How much came from a client, since when.
struct Received {
    since: Instant,
    frames: u32,
    names: usize,
}

/// It is over.
enum Over {
    /// And the client is told.
    Because(End),
    /// And there is nobody to tell.
    Gone,
}

impl Talk {
    async fn run(&mut self) -> Result<(), Over> {
        loop {
            tokio::select! {
                heard = self.listener.next() => match heard {
                    StreamEvent::Item(Item::Message(message)) => self.send_text(message.frame.clone()).await?,
                    StreamEvent::Item(Item::Missed) => self.send(&json!({ "type": "missed" })).await?,
                    StreamEvent::Item(Item::Refused(refusal)) => {
                        self.refused(&refusal.channel, refusal.status, &refusal.message).await?;
                    }
                    StreamEvent::End(end) => return Err(Over::Because(end)),
                },
                frame = self.socket.recv() => match frame {
                    Some(Ok(frame)) => self.heed(frame).await?,
                    // Closed, or a frame that is too long: then the protocol has its own way to say so.
                    Some(Err(_)) | None => return Err(Over::Gone),
                },
                _ = self.ticks.tick() => self.beat().await?,
            }
        }
    }

    async fn heed(&mut self, frame: Message) -> Result<(), Over> {
        self.is_alive = true;
        self.count_frame()?;
        let Message::Text(text) = frame else { return Ok(()) };
        match serde_json::from_str(&text).map_err(|_| Over::Because(End::Nonsense))? {
            Wish::Subscribe { subscribe, after } => {
                self.count_names(subscribe.len())?;
                self.subscribe(subscribe, after).await
            }
            Wish::Unsubscribe { unsubscribe } => {
                self.count_names(unsubscribe.len())?;
                unsubscribe.iter().for_each(|channel| self.listener.subscriptions().remove(channel));
                Ok(())
            }
        }
    }

    async fn subscribe(&mut self, mut wanted: Vec<String>, after: Option<String>) -> Result<(), Over> {
        wanted.sort_unstable();
        wanted.dedup();
        let has = self.listener.subscriptions().channels();
        let new = wanted.iter().filter(|channel| !has.contains(channel)).count();
        if has.len() + new > self.visitor.live().config().max_channels {
            return Err(Over::Because(End::Flood));
        }
        let (allowed, refusals) = self.listen(&wanted, after.as_deref()).await?;
        for refusal in refusals {
            self.refused(&refusal.channel, refusal.status, &refusal.message).await?;
        }
        let (position, heartbeat) = (self.listener.position(), self.visitor.live().config().heartbeat.max(1));
        self.send(
            &json!({ "type": "subscribed", "channels": allowed, "id": position, "heartbeat": heartbeat }),
        )
        .await
    }

    /// Listens to those of the channels that are for them, by answers that still hold when it begins to.
    async fn listen(
        &mut self,
        wanted: &[String],
        after: Option<&str>,
    ) -> Result<(Vec<String>, Vec<Refusal>), Over> {
        let subscriptions = self.listener.subscriptions();
        for _ in 0..MOST_LOOKS {
            let rechecks = subscriptions.rechecks();
            let answers = self.visitor.ask(wanted).await.map_err(Over::Because)?;
            let (mut allowed, mut refusals) = (Vec::new(), Vec::new());
            for (channel, answer) in wanted.iter().zip(answers) {
                match answer {
                    Ok(()) => allowed.push(channel.clone()),
                    Err(refusal) => refusals.push(refusal),
                }
            }
            if subscriptions.add_unless_rechecked(&allowed, after, rechecks) {
                return Ok((allowed, refusals));
            }
        }
        Err(Over::Because(End::Unavailable))
    }

    async fn refused(&mut self, channel: &str, status: u16, message: &str) -> Result<(), Over> {
        self.send(&json!({ "type": "refused", "channel": channel, "status": status, "message": message }))
            .await
    }

    /// A sign of life, and a question for one: text that a script sees, and a ping that the browser answers.
    async fn beat(&mut self) -> Result<(), Over> {
        if !std::mem::take(&mut self.is_alive) {
            return Err(Over::Gone);
        }
        let position = self.listener.position();
        self.send(&json!({ "type": "ping", "id": position })).await?;
        self.send_frame(Message::Ping(Bytes::new())).await
    }

    /// Nobody needs to say so much.
    fn count_frame(&mut self) -> Result<(), Over> {
        if self.received.since.elapsed() > SPAN {
            self.received = Received { since: Instant::now(), frames: 0, names: 0 };
        }
        self.received.frames += 1;
        if self.received.frames > MOST_FRAMES { Err(Over::Because(End::Flood)) } else { Ok(()) }
    }

    fn count_names(&mut self, names: usize) -> Result<(), Over> {
        let most = MOST_NAMES.max(self.visitor.live().config().max_channels.saturating_mul(10));
        self.received.names += names;
        if self.received.names > most { Err(Over::Because(End::Flood)) } else { Ok(()) }
    }

    async fn send(&mut self, content: &Value) -> Result<(), Over> {
        self.send_text(content.to_string().into()).await
    }

    async fn send_text(&mut self, text: Bytes) -> Result<(), Over> {
        // It was text before it was bytes.
        let text = Utf8Bytes::try_from(text).map_err(|_| Over::Gone)?;
        self.send_frame(Message::Text(text)).await
    }

    /// Sends a frame, unless it is over before the client has read enough.
    async fn send_frame(&mut self, frame: Message) -> Result<(), Over> {
        tokio::select! {
            sent = self.socket.send(frame) => sent.map_err(|_| Over::Gone),
            end = self.listener.ended() => Err(Over::Because(end)),
        }
    }

    async fn say_goodbye(&mut self, end: End) {
        let frame = CloseFrame { code: end.close_code(), reason: end.reason().into() };
        let _ = timeout(LAST_WORDS, async {
            if self.socket.send(Message::Close(Some(frame))).await.is_ok() {
                while let Some(Ok(_)) = self.socket.recv().await {}
            }
        })
        .await;
    }
}

//! Live updates: what happens on the server shows at once in every browser that is open.
//!
//! - A channel has a name (`books.1`), and a rule that says who may hear it. [`AppLive::live`] is where an app writes them down, in
//!   [`Channels`]; the gate decides.
//! - [`broadcast`] says something in a channel, from a handler, a job, a listener or a command. Everybody hears it who listens there,
//!   whichever process they are connected to. Inside a transaction nobody does before the commit.
//! - Browsers listen at one address, `/api/live`: as server-sent events or over a websocket. `@housekey/client/live` does it for
//!   them.
//! - [`LiveConfig`] (`config/live.rs`) says what carries messages between processes (Redis, PostgreSQL, or nothing for a single
//!   process), and how much anybody may ask for.
//! - In tests [`live`] knows what was said ([`Live::assert_broadcast`]), and [`Live::fake`] keeps it from being sent.
//!
//! ```
//! use housekey_auth::User;
//! use housekey_auth::gate::AppGate;
//! use housekey_core::{ConfigFiles, Result};
//! use housekey_database::{FromRow, Model};
//! use housekey_http::App;
//! use housekey_live::{AppLive, Channels, LiveProvider, broadcast};
//! use serde_json::json;
//!
//! #[derive(FromRow, Model)]
//! #[row(crate = "housekey_database")]
//! #[model(table = "books")]
//! struct Book {
//!     id: i64,
//!     owner_id: String,
//! }
//!
//! fn channels(live: &mut Channels) {
//!     live.public("news");
//!     live.can::<Book>("books.{book}", "view");
//! }
//!
//! async fn lend(book: &Book) -> Result<()> {
//!     broadcast(&format!("books.{}", book.id), &json!({ "lent": true })).await
//! }
//!
//! let app = App::new(ConfigFiles::new())
//!     .provider(LiveProvider)
//!     .gate(|gate| {
//!         gate.define("view", |user: &User, book: &Book| user.id == book.owner_id);
//!     })
//!     .live(channels);
//! # drop((app, lend(&Book { id: 1, owner_id: String::new() })));
//! ```
//!
//! # What is promised
//!
//! - A message reaches everybody who is connected and may hear its channel, once, in the order in which it was carried. Whoever was away
//!   for a moment gets what they missed when they come back with the last id they saw, or is told that something is missing.
//!   Nothing is kept for longer than that: what must not be lost is a row, a job or a
//!   durable event.
//! - Who may hear is asked when somebody subscribes, and again: at once when their sessions or their account change, and every
//!   [`recheck`](LiveConfig::recheck) seconds. A session that is over ends the stream.
//! - A stream that is ended is told why; when the server stops, too.
//!
//! What processes tell each other is sealed with `APP_KEY`: who reaches Redis or the database, but not the key, reads nothing and says
//! nothing.

mod ambient;
mod assertions;
mod broadcasts;
mod bus;
mod channels;
mod config;
mod hub;
mod live;
mod message;
mod provider;
mod stream;

pub use ambient::{broadcast, broadcast_in, live};
pub use channels::{Channel, Channels};
pub use config::LiveConfig;
pub use live::Live;
pub use provider::{AppLive, LiveProvider};

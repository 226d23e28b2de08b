//! Something happened, and others want to know: events and their listeners.
//!
//! - An [`Event`] is a value with a name. [`emit`] tells it to everybody who listens.
//! - A [`Listener`] is an `async fn(OrderPaid) -> Result<()>`, made known with [`AppEvents::listeners`] or by a provider
//!   ([`Listeners::add`]). It is called where the event is emitted, or does its work in the queue
//!   ([`Listener::queued`]).
//! - Inside a database transaction nobody hears of an event before the transaction is committed, and nobody ever does if it
//!   is rolled back.
//! - A [durable](Event::DURABLE) event is written into the table `event_outbox`, as part of the transaction. A [`Relay`],
//!   which runs beside `serve` and `queue:work`, tells it to each listener, again after a failure or a crash, until it is
//!   done.
//! - In tests, [`events`] knows what was emitted, and [`Events::fake`] keeps listeners quiet.
//!
//! ```
//! use housekey_core::{ConfigFiles, Result};
//! use housekey_database::db;
//! use housekey_events::{AppEvents, Event, EventsProvider, emit, listener};
//! use housekey_http::App;
//! use serde::{Deserialize, Serialize};
//!
//! #[derive(Clone, Serialize, Deserialize)]
//! struct OrderPaid {
//!     order: i64,
//! }
//!
//! impl Event for OrderPaid {
//!     const NAME: &'static str = "order-paid";
//!     const DURABLE: bool = true;
//! }
//!
//! async fn send_receipt(event: OrderPaid) -> Result<()> {
//!     println!("a receipt for order {}", event.order);
//!     Ok(())
//! }
//!
//! async fn pay(order: i64) -> Result<()> {
//!     db()?.transaction(async |tx| {
//!         tx.table("orders").where_eq("id", order).increment("paid", 1).await?;
//!         emit(OrderPaid { order }).await
//!     }).await
//! }
//!
//! let app = App::new(ConfigFiles::new()).provider(EventsProvider).listeners([listener(send_receipt)]);
//! # drop((app, pay(7)));
//! ```
//!
//! # What is promised
//!
//! | | plain event | durable event |
//! |---|---|---|
//! | told | at once, or after the commit, by the process that emitted it | by a relay, moments after the commit |
//! | a listener fails | it is logged; the others are told | it is told again, later and later, and at last kept as failed |
//! | the process is killed | whoever was not told is not | told by the next relay |
//! | how often | once at most | at least once; [`Listener::once`]: what it does to the database, exactly once |
//!
//! "At least once" cannot be helped: a process can die between the work and its last word. [`Listener::once`] puts both
//! into one transaction, so that neither is there without the other. For what happens elsewhere (a payment, a mail),
//! [`delivery`] has a [`key`](Delivery::key) that stays the same however often a listener is told, for the other side to
//! tell a repetition by.
//!
//! The fields of a durable event are sealed with `APP_KEY` while they wait.

mod ambient;
mod assertions;
mod config;
mod delivery;
mod emitted;
mod event;
mod events;
mod listener;
mod listeners;
mod outbox;
mod provider;
mod queued;
mod relay;
pub mod tables;

pub use ambient::{emit, emit_in, events};
pub use config::EventsConfig;
pub use delivery::{Delivery, delivery};
pub use event::Event;
pub use events::Events;
pub use listener::{Listener, listener};
pub use listeners::Listeners;
pub use outbox::{FailedDelivery, Outbox};
pub use provider::{AppEvents, EventsProvider};
pub use relay::{Relay, RunningRelay};

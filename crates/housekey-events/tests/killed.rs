//! Processes that are killed (SIGKILL) while they take orders and tell events, and what is left of it. spec: WRK-2

#![allow(
    clippy::print_stdout,
    clippy::unwrap_used,
    reason = "a test says what it saw, and one that cannot go on fails"
)]

mod shop;

use std::path::PathBuf;
use std::time::Duration;

use housekey_core::{AppKey, Clock, Paths, Result};
use housekey_database::testing::TestDatabase;
use housekey_database::{ConnectionConfig, db, on_every_engine, record};
use housekey_events::{EventsConfig, Relay, emit, listener};
use housekey_test_support::{Program, this_test, until_async};
use serde::{Deserialize, Serialize};
use shop::{Paid, Plan, Shop, book_paid, note_paid};

const CHILD: &str = "HOUSEKEY_EVENTS_TEST_SHOP";

/// How many processes are killed.
const KILLED: u64 = 6;

on_every_engine!(what_was_committed_is_told_and_once_is_once_however_often_processes_are_killed);

/// What a parent tells its child.
#[derive(Clone, Serialize, Deserialize)]
struct Orders {
    config: Box<ConnectionConfig>,
    folder: PathBuf,
    key: String,
}

impl Orders {
    fn open(&self) -> Shop {
        let plan = Plan {
            key: self.key.clone(),
            clock: Clock::system(),
            // What a killed process had in hand is free after three seconds.
            events: EventsConfig { timeout: 2, poll: 20, ..EventsConfig::default() },
            ..Plan::new(&self.config, Paths::new(&self.folder))
        };
        plan.open([listener(note_paid), listener(book_paid).once()])
    }

    fn start(&self) -> Program {
        let mut command = this_test("takes_orders_when_started_as_a_child_process");
        Program::start(command.env(CHILD, serde_json::to_string(self).unwrap()))
    }
}

/// Takes orders as fast as it can, and tells of them, until it is killed.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the process that the tests in this file start and kill"]
async fn takes_orders_when_started_as_a_child_process() {
    let orders = std::env::var(CHILD).expect("the tests in this file start it, with its orders");
    let shop = serde_json::from_str::<Orders>(&orders).unwrap().open();
    let _relay = Relay::start(shop.application.services()).unwrap();
    loop {
        // The kill may come at any point of this.
        let order = async {
            db()?
                .transaction(async |tx| {
                    let paid = record! { "state" => "paid" };
                    let (order, _): (i64, String) = tx.table("orders").insert_returning(paid, "id").await?;
                    emit(Paid { order }).await?;
                    tx.table("orders").where_eq("id", order).update(record! { "state" => "told" }).await?;
                    Ok(())
                })
                .await
        };
        let _: Result<()> = shop.within(order).await;
        // SQLite has one writer: the others want a turn.
        tokio::time::sleep(Duration::from_millis(3)).await;
    }
}

async fn what_was_committed_is_told_and_once_is_once_however_often_processes_are_killed(test: TestDatabase) {
    let orders = Orders {
        config: Box::new(test.config.clone()),
        folder: test.paths().root().to_owned(),
        key: AppKey::generate().to_text().reveal().to_owned(),
    };
    let shop = orders.open();
    shop.make_tables().await;
    for round in 1..=KILLED {
        let before = told_by(&shop, "book_paid").await.len();
        // Two at a time: they get in each other's way as much as they can.
        let (mut one, mut other) = (orders.start(), orders.start());
        until_async("some deliveries", async || told_by(&shop, "book_paid").await.len() > before + 3).await;
        tokio::time::sleep(Duration::from_millis(7 * round)).await;
        one.kill();
        other.kill();
    }
    let relay = shop.relay();
    until_async("everything to be told", async || {
        // A server notices the death of a client in its own time; until then its locks can be in the way.
        let _ = relay.deliver_due().await;
        shop.outbox().waiting().await.unwrap() == 0
    })
    .await;

    let committed: Vec<i64> = shop.db().table("orders").order_by("id").pluck("id").await.unwrap();
    assert!(committed.len() > 3 * KILLED as usize);
    assert_eq!(
        told_by(&shop, "book_paid").await,
        committed,
        "exactly once, and nothing that was not committed"
    );
    let mut at_least_once = told_by(&shop, "note_paid").await;
    let told = at_least_once.len();
    at_least_once.dedup();
    assert_eq!(at_least_once, committed, "nothing lost");
    println!("{} orders, {} told again after {KILLED} x 2 kills", committed.len(), told - committed.len());
    assert!(shop.outbox().failed(1).await.unwrap().is_empty());
}

/// The orders that a listener was told of, sorted.
async fn told_by(shop: &Shop, who: &str) -> Vec<i64> {
    shop.db().table("told").where_eq("who", who).order_by("order_id").pluck("order_id").await.unwrap()
}

//! Events and their listeners, in an application on every engine. spec: WRK-2

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod shop;

use std::future::pending;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use housekey_core::{Error, Result};
use housekey_database::testing::TestDatabase;
use housekey_database::{db, on_every_engine, record};
use housekey_events::{Event, Listener, emit, emit_in, events, listener};
use housekey_test_support::{happens, in_time};
use serde::{Deserialize, Serialize};
use shop::{
    Paid, Plan, Shop, Viewed, book_paid, fail_viewed, key_paid, note_paid, note_viewed, panic_viewed,
};

on_every_engine!(
    a_plain_event_is_told_at_once_and_a_listener_that_fails_stops_nobody,
    inside_a_transaction_nobody_is_told_before_the_commit,
    what_is_rolled_back_is_told_to_nobody,
    a_durable_event_waits_sealed_in_the_outbox_until_a_relay_tells_it,
    a_durable_event_goes_with_its_transaction,
    a_listener_that_fails_is_told_again_and_at_last_given_up,
    a_listener_that_never_comes_to_an_end_is_given_up,
    what_a_once_listener_did_before_it_failed_is_taken_back,
    several_relays_tell_each_listener_once,
    queued_listeners_do_their_work_in_the_queue,
    a_key_stays_the_same_however_often_a_listener_is_told,
    an_event_waits_for_a_process_that_knows_its_listener,
    a_transaction_that_is_held_as_a_value_is_named,
    under_a_test_runner_durable_events_are_told_at_once_and_everything_is_recorded,
);

async fn open(test: &TestDatabase, listeners: impl IntoIterator<Item = Listener>) -> Shop {
    let shop = Plan::new(&test.config, test.paths()).open(listeners);
    shop.make_tables().await;
    shop
}

async fn a_plain_event_is_told_at_once_and_a_listener_that_fails_stops_nobody(test: TestDatabase) {
    let shop = open(&test, [listener(fail_viewed), listener(panic_viewed), listener(note_viewed)]).await;
    shop.within(emit(Viewed { order: 7 })).await.unwrap();
    assert_eq!(shop.told().await, ["fail_viewed 7", "note_viewed 7"]);
}

// spec: WRK-2
async fn inside_a_transaction_nobody_is_told_before_the_commit(test: TestDatabase) {
    let shop = open(&test, [listener(note_viewed)]).await;
    let work = async {
        db()?
            .transaction(async |tx| {
                tx.table("orders").insert(record! { "state" => "new" }).await?;
                emit(Viewed { order: 1 }).await?;
                // A savepoint that fails alone takes its event along.
                let failed: Result<()> = tx
                    .transaction(async |_| {
                        emit(Viewed { order: 2 }).await?;
                        Err(Error::not_found())
                    })
                    .await;
                assert!(failed.is_err());
                tx.transaction(async |_| emit(Viewed { order: 3 }).await).await?;
                assert_eq!(tx.table("told").count().await?, 0, "not yet");
                Ok(())
            })
            .await
    };
    shop.within(work).await.unwrap();
    assert_eq!(shop.told().await, ["note_viewed 1", "note_viewed 3"]);
}

// spec: WRK-2
async fn what_is_rolled_back_is_told_to_nobody(test: TestDatabase) {
    let shop = open(&test, [listener(note_viewed), listener(note_paid)]).await;
    let work = async {
        db()?
            .transaction(async |_| {
                emit(Viewed { order: 1 }).await?;
                emit(Paid { order: 1 }).await?;
                Err::<(), _>(Error::not_found())
            })
            .await
    };
    assert!(shop.within(work).await.is_err());
    assert_eq!(shop.relay().deliver_due().await.unwrap(), 0);
    assert!(shop.told().await.is_empty());
}

// spec: WRK-2
async fn a_durable_event_waits_sealed_in_the_outbox_until_a_relay_tells_it(test: TestDatabase) {
    let shop = open(&test, [listener(note_paid), listener(book_paid).once()]).await;
    shop.within(emit(Paid { order: 4711 })).await.unwrap();
    assert!(shop.told().await.is_empty(), "the process that emits it does not tell it");
    assert_eq!(shop.outbox().waiting().await.unwrap(), 2, "one for each listener");
    let payloads: Vec<String> = shop.db().table("event_outbox").pluck("payload").await.unwrap();
    assert!(payloads.iter().all(|payload| !payload.contains("4711")));

    assert_eq!(shop.relay().deliver_due().await.unwrap(), 2);
    let mut told = shop.told().await;
    told.sort();
    assert_eq!(told, ["book_paid 4711", "note_paid 4711"]);
    assert_eq!(shop.outbox().waiting().await.unwrap(), 0);
    assert_eq!(shop.relay().deliver_due().await.unwrap(), 0);
}

// spec: WRK-2
async fn a_durable_event_goes_with_its_transaction(test: TestDatabase) {
    let shop = open(&test, [listener(note_paid)]).await;
    let pay = async |order: i64, fails: bool| {
        let work = async {
            db()?
                .transaction(async |tx| {
                    tx.table("orders").insert(record! { "state" => "paid" }).await?;
                    emit(Paid { order }).await?;
                    if fails { Err(Error::not_found()) } else { Ok(()) }
                })
                .await
        };
        shop.within(work).await
    };
    pay(1, false).await.unwrap();
    pay(2, true).await.unwrap_err();
    assert_eq!(shop.db().table("orders").count().await.unwrap(), 1);
    shop.relay().deliver_due().await.unwrap();
    assert_eq!(shop.told().await, ["note_paid 1"]);
}

async fn a_listener_that_fails_is_told_again_and_at_last_given_up(test: TestDatabase) {
    let shop = open(&test, [listener(book_paid).retries(2), listener(note_paid)]).await;
    shop.within(emit(Paid { order: -8 })).await.unwrap();
    for attempt in 1..=3 {
        assert!(shop.relay().deliver_due().await.unwrap() > 0, "attempt {attempt}");
        assert_eq!(shop.relay().deliver_due().await.unwrap(), 0, "it waits a while");
        shop.clock.advance(Duration::from_secs(60));
    }
    let told = shop.told().await;
    assert_eq!(told.iter().filter(|line| line.starts_with("book_paid")).count(), 3);
    assert_eq!(
        told.iter().filter(|line| line.starts_with("note_paid")).count(),
        1,
        "the other was told once"
    );
    assert_eq!(shop.outbox().waiting().await.unwrap(), 0);
    let failed = shop.outbox().failed(10).await.unwrap();
    assert_eq!((failed.len(), failed[0].listener.as_str(), failed[0].attempts), (1, "book_paid", 3));
    assert!(failed[0].error.contains("cannot be booked"), "{failed:?}");

    assert_eq!(shop.outbox().retry_failed().await.unwrap(), 1);
    assert_eq!(shop.relay().deliver_due().await.unwrap(), 1);
}

// spec: WRK-2
async fn a_listener_that_never_comes_to_an_end_is_given_up(test: TestDatabase) {
    let begun = Arc::new(AtomicUsize::new(0));
    let stuck = {
        let begun = begun.clone();
        move |_: Paid| {
            begun.fetch_add(1, Ordering::SeqCst);
            pending()
        }
    };
    let shop = open(&test, [listener(stuck).named("stuck").retries(1)]).await;
    shop.within(emit(Paid { order: 1 })).await.unwrap();
    for round in 1..=2 {
        let relay = shop.relay();
        tokio::select! {
            told = relay.deliver_due() => panic!("it came to an end: {told:?}"),
            // Here its process is killed.
            () = happens("it to begin", || begun.load(Ordering::SeqCst) == round) => {}
        }
        shop.clock.advance(Duration::from_secs(60));
    }
    let relay = shop.relay();
    tokio::select! {
        looked = relay.deliver_due() => assert_eq!(looked.unwrap(), 1),
        () = happens("it to begin again", || begun.load(Ordering::SeqCst) > 2) => panic!("it was told a third time"),
    }
    assert_eq!(shop.outbox().waiting().await.unwrap(), 0);
    let failed = shop.outbox().failed(1).await.unwrap();
    assert_eq!(failed.len(), 1);
    assert!(failed[0].error.contains("begun 2 times and never came to an end"), "{failed:?}");
}

// spec: WRK-2
async fn what_a_once_listener_did_before_it_failed_is_taken_back(test: TestDatabase) {
    let shop = open(&test, [listener(book_paid).once().retries(1)]).await;
    shop.within(emit(Paid { order: -8 })).await.unwrap();
    for _ in 0..2 {
        assert_eq!(shop.relay().deliver_due().await.unwrap(), 1);
        shop.clock.advance(Duration::from_secs(60));
    }
    assert!(shop.told().await.is_empty());
    assert_eq!(shop.outbox().failed(1).await.unwrap()[0].attempts, 2);
}

async fn several_relays_tell_each_listener_once(test: TestDatabase) {
    const EVENTS: i64 = 30;
    let shop = open(&test, [listener(note_paid), listener(book_paid).once()]).await;
    for order in 0..EVENTS {
        shop.within(emit(Paid { order })).await.unwrap();
    }
    let relays = (0..3).map(|_| {
        let relay = shop.relay();
        // A deadlock that an engine resolves is no end: the relay looks again, as `run_until` does.
        tokio::spawn(async move { while !matches!(relay.deliver_due().await, Ok(0)) {} })
    });
    for relay in relays.collect::<Vec<_>>() {
        in_time("a relay", relay).await.unwrap();
    }
    shop.clock.advance(Duration::from_secs(120));
    shop.relay().deliver_due().await.unwrap();
    let mut told = shop.told().await;
    told.sort();
    let mut wanted: Vec<String> =
        (0..EVENTS).flat_map(|order| [format!("note_paid {order}"), format!("book_paid {order}")]).collect();
    wanted.sort();
    assert_eq!(told, wanted);
}

async fn queued_listeners_do_their_work_in_the_queue(test: TestDatabase) {
    let shop = open(&test, [listener(note_viewed).queued(), listener(note_paid).queued_on("slow")]).await;
    shop.within(emit(Viewed { order: 1 })).await.unwrap();
    shop.within(emit(Paid { order: 2 })).await.unwrap();
    assert!(shop.told().await.is_empty());
    assert_eq!(shop.work().await, 1, "the plain one is in the queue, the durable one not yet");
    assert_eq!(shop.told().await, ["note_viewed 1"]);
    assert_eq!(shop.relay().deliver_due().await.unwrap(), 1);
    assert_eq!(shop.outbox().waiting().await.unwrap(), 0, "from here on the queue keeps it");
    let jobs = shop.db().table("jobs").select(["queue", "name"]);
    let jobs: Vec<(String, String)> = jobs.get().await.unwrap();
    assert_eq!(jobs, [("slow".to_owned(), "event:paid:note_paid".to_owned())]);
}

async fn a_key_stays_the_same_however_often_a_listener_is_told(test: TestDatabase) {
    let fails_after = async |event: Paid| {
        key_paid(event).await?;
        Err(Error::internal("after the work"))
    };
    let shop = open(&test, [listener(fails_after).named("remote"), listener(key_paid).queued()]).await;
    shop.within(emit(Paid { order: 1 })).await.unwrap();
    for _ in 0..2 {
        shop.relay().deliver_due().await.unwrap();
        shop.clock.advance(Duration::from_secs(60));
    }
    assert_eq!(shop.work().await, 1);
    let told = shop.told().await;
    assert_eq!(told.len(), 3, "{told:?}");
    assert!(told[0].ends_with("-remote 1") && told[0] == told[1], "{told:?}");
    let (event, _) = told[0].split_once('-').unwrap();
    assert_eq!(told[2], format!("{event}-key_paid 1"), "one event, another listener");
}

async fn an_event_waits_for_a_process_that_knows_its_listener(test: TestDatabase) {
    let plan = || Plan {
        key: "base64:AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=".into(),
        ..Plan::new(&test.config, test.paths())
    };
    let new = plan().open([listener(note_paid)]);
    new.make_tables().await;
    new.within(emit(Paid { order: 1 })).await.unwrap();
    // The version before knows another listener only.
    let old = plan().open([listener(book_paid)]);
    old.relay().deliver_due().await.unwrap();
    assert_eq!(new.outbox().waiting().await.unwrap(), 1);
    new.clock.advance(Duration::from_secs(3600));
    new.relay().deliver_due().await.unwrap();
    assert_eq!(new.told().await, ["note_paid 1"]);
}

async fn a_transaction_that_is_held_as_a_value_is_named(test: TestDatabase) {
    let shop = open(&test, [listener(note_viewed), listener(note_paid)]).await;
    let work = async {
        let tx = db()?.begin().await?;
        emit_in(&tx, Viewed { order: 1 }).await?;
        emit_in(&tx, Paid { order: 1 }).await?;
        tx.commit().await?;
        let dropped = db()?.begin().await?;
        emit_in(&dropped, Viewed { order: 2 }).await?;
        emit_in(&dropped, Paid { order: 2 }).await?;
        drop(dropped);
        Result::<()>::Ok(())
    };
    shop.within(work).await.unwrap();
    shop.relay().deliver_due().await.unwrap();
    assert_eq!(shop.told().await, ["note_viewed 1", "note_paid 1"]);
}

async fn under_a_test_runner_durable_events_are_told_at_once_and_everything_is_recorded(test: TestDatabase) {
    let plan = Plan { env: "testing", ..Plan::new(&test.config, test.paths()) };
    let shop = plan.open([listener(note_paid)]);
    shop.make_tables().await;
    let work = async {
        emit(Paid { order: 1 }).await?;
        let failed: Result<()> = db()?
            .transaction(async |_| {
                emit(Paid { order: 2 }).await?;
                Err(Error::not_found())
            })
            .await;
        assert!(failed.is_err());
        events().assert_emitted_times::<Paid>(1).assert_emitted_where::<Paid>(|event| event.order == 1);
        events().assert_not_emitted::<Viewed>();

        events().fake();
        emit(Paid { order: 3 }).await?;
        events().assert_emitted::<Paid>().assert_emitted_times::<Paid>(2);
        Result::<()>::Ok(())
    };
    shop.within(work).await.unwrap();
    assert_eq!(shop.told().await, ["note_paid 1"], "after `fake` nobody is told");
}

#[tokio::test]
async fn a_running_relay_tells_events_as_they_come_and_stops_when_told() {
    let test = TestDatabase::sqlite().await;
    let mut plan = Plan::new(&test.config, test.paths());
    // So rarely that only the news of an event can have woken it.
    plan.events.poll = 600_000;
    let shop = plan.open([listener(note_paid)]);
    shop.make_tables().await;
    let relay = housekey_events::Relay::start(shop.application.services()).unwrap();
    shop.within(emit(Paid { order: 1 })).await.unwrap();
    housekey_test_support::until_async("the listener to be told", async || {
        shop.told().await == ["note_paid 1"]
    })
    .await;
    in_time("the relay to stop", relay.stop()).await;
}

#[tokio::test]
async fn a_relay_whose_database_does_not_answer_asks_less_and_less_often() {
    let test = TestDatabase::sqlite().await;
    let mut plan = Plan::new(&test.config, test.paths());
    plan.events.poll = 10;
    // Its table is missing, so every look fails.
    let shop = plan.open([listener(note_paid)]);
    let log = shop.db().log_queries();
    shop.relay().run_until(tokio::time::sleep(Duration::from_secs(1))).await;
    let looks = log.statements().iter().filter(|sql| sql.contains("event_outbox")).count();
    // After 0, 10, 30, 70, 150, 310 and 630 milliseconds; on a busy machine the second may be longer. Without the pauses it is 100.
    assert!((1..=20).contains(&looks), "{looks} looks within a second");
}

#[tokio::test]
async fn a_missing_table_comes_with_the_way_to_make_it() {
    let test = TestDatabase::sqlite().await;
    let shop = Plan::new(&test.config, test.paths()).open([listener(note_paid)]);
    let error = shop.within(emit(Paid { order: 1 })).await.unwrap_err().to_string();
    assert!(error.contains("make:events-table"), "{error}");
}

#[derive(Clone, Serialize, Deserialize)]
struct OtherPaid;

impl Event for OtherPaid {
    const NAME: &'static str = "paid";
}

async fn other_paid(_: OtherPaid) -> Result<()> {
    Ok(())
}

#[tokio::test]
async fn mistakes_are_found_when_the_app_boots_or_at_the_first_event() {
    let test = TestDatabase::sqlite().await;
    let mistake = |listeners: Vec<Listener>| {
        let plan = Plan::new(&test.config, test.paths());
        plan.try_open(listeners).err().expect("this must not boot").to_string()
    };
    let closure = async |_: Paid| Ok(());
    for (listeners, complaint) in [
        (vec![listener(note_paid), listener(note_paid)], "are called `note_paid`"),
        (vec![listener(closure)], ".named("),
        (vec![listener(note_viewed).once()], "not durable"),
        (vec![listener(note_paid).once().queued()], "queued and once"),
        (vec![listener(note_paid), listener(other_paid)], "two events are named `paid`"),
    ] {
        let error = mistake(listeners);
        assert!(error.contains(complaint), "{error}");
    }
    let shop = Plan::new(&test.config, test.paths()).open([listener(note_paid)]);
    let error = shop.within(emit(OtherPaid)).await.unwrap_err().to_string();
    assert!(error.contains("two events are named `paid`"), "{error}");
    let outside = emit(Paid { order: 1 }).await.unwrap_err().to_string();
    assert!(outside.contains("inside an application"), "{outside}");
    assert!(events().emitted::<Paid>().is_empty());
}

//! The `notifications` table, on every engine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_notifications::{
    DatabaseNotificationStore, Inbox, Notifiable, NotifiableKey, NotificationStore, StoredNotification,
    tables,
};
use serde_json::json;
use time::OffsetDateTime;
use time::macros::datetime;

on_every_engine!(
    what_is_stored_comes_back_newest_first_and_to_its_owner_only,
    what_is_read_is_no_longer_unread_and_keeps_the_moment_it_was_read_first,
    the_same_notification_delivered_twice_is_stored_once,
    only_the_owner_can_mark_or_throw_away,
    a_notification_in_a_transaction_that_fails_was_never_there,
    a_missing_table_is_an_error_that_says_what_to_run,
);

const NOON: OffsetDateTime = datetime!(2026-03-01 12:00:00.123 UTC);

struct Person(&'static str);

impl Notifiable for Person {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        Some(NotifiableKey::new("user", self.0))
    }

    fn route_for(&self, _: &str) -> Option<String> {
        None
    }
}

const ADA: Person = Person("ada");

fn note(id: &str, owner: &Person, minute: i64) -> StoredNotification {
    StoredNotification {
        id: id.into(),
        kind: "InvoicePaid".into(),
        owner: owner.notifiable_key().unwrap(),
        data: json!({ "number": 7, "who": "Grüße \u{1F511} \"quoted\"", "nested": [null, true, 1.5] }),
        read_at: None,
        created_at: NOON + time::Duration::minutes(minute),
    }
}

async fn store(test: &TestDatabase) -> DatabaseNotificationStore {
    test.db.schema(tables::create).await.unwrap();
    DatabaseNotificationStore::new(test.db.clone())
}

fn ids(list: &[StoredNotification]) -> Vec<&str> {
    list.iter().map(|stored| stored.id.as_str()).collect()
}

async fn what_is_stored_comes_back_newest_first_and_to_its_owner_only(test: TestDatabase) {
    let store = store(&test).await;
    let other = NotifiableKey::new("team", "ada");
    for (id, minute) in [("b", 2), ("a", 1), ("c", 3)] {
        store.insert(note(id, &ADA, minute)).await.unwrap();
    }
    store.insert(note("d", &Person("Ada"), 4)).await.unwrap();
    store.insert(StoredNotification { owner: other.clone(), ..note("e", &ADA, 5) }).await.unwrap();

    let inbox = Inbox::new(store);
    let all = inbox.all(&ADA).await.unwrap();
    assert_eq!(ids(&all), ["c", "b", "a"]);
    assert_eq!(all[2], note("a", &ADA, 1), "every field, to the millisecond");
    assert_eq!(ids(&inbox.all(&Person("Ada")).await.unwrap()), ["d"], "another one, by a letter's case");
    assert_eq!(inbox.clear(&ADA).await.unwrap(), 3);
    assert!(inbox.all(&ADA).await.unwrap().is_empty());
    let rest: u64 = test.db.table("notifications").count().await.unwrap();
    assert_eq!(rest, 2, "the others' are left alone");
}

async fn what_is_read_is_no_longer_unread_and_keeps_the_moment_it_was_read_first(test: TestDatabase) {
    let store = store(&test).await;
    let ada = ADA.notifiable_key().unwrap();
    for (id, minute) in [("a", 1), ("b", 2), ("c", 3)] {
        store.insert(note(id, &ADA, minute)).await.unwrap();
    }
    let later = NOON + time::Duration::hours(1);
    assert_eq!(store.mark_as_read(&ada, Some("b"), NOON).await.unwrap(), 1);
    assert_eq!(store.mark_as_read(&ada, Some("b"), later).await.unwrap(), 0, "it was read before");
    assert_eq!(ids(&store.list(&ada, true).await.unwrap()), ["c", "a"]);

    assert_eq!(store.mark_as_read(&ada, None, later).await.unwrap(), 2);
    assert!(store.list(&ada, true).await.unwrap().is_empty());
    let read: Vec<_> = store.list(&ada, false).await.unwrap().iter().map(|stored| stored.read_at).collect();
    assert_eq!(read, [Some(later), Some(NOON), Some(later)]);
}

async fn the_same_notification_delivered_twice_is_stored_once(test: TestDatabase) {
    let store = store(&test).await;
    let ada = ADA.notifiable_key().unwrap();
    store.insert(note("a", &ADA, 1)).await.unwrap();
    store.mark_as_read(&ada, None, NOON).await.unwrap();
    store.insert(note("a", &ADA, 9)).await.unwrap();
    let all = store.list(&ada, false).await.unwrap();
    assert_eq!(
        (all.len(), all[0].created_at, all[0].read_at),
        (1, note("a", &ADA, 1).created_at, Some(NOON))
    );
}

async fn only_the_owner_can_mark_or_throw_away(test: TestDatabase) {
    let store = store(&test).await;
    store.insert(note("a", &ADA, 1)).await.unwrap();
    let inbox = Inbox::new(store);
    let mallory = Person("mallory");
    assert!(!inbox.mark_as_read(&mallory, "a").await.unwrap());
    assert!(!inbox.delete(&mallory, "a").await.unwrap());
    assert_eq!(inbox.mark_all_as_read(&mallory).await.unwrap(), 0);
    assert_eq!(inbox.clear(&mallory).await.unwrap(), 0);
    assert!(!inbox.delete(&ADA, "a' or '1'='1").await.unwrap());
    assert_eq!(inbox.unread(&ADA).await.unwrap().len(), 1);
    assert!(inbox.mark_as_read(&ADA, "a").await.unwrap());
    assert!(inbox.delete(&ADA, "a").await.unwrap());
}

async fn a_notification_in_a_transaction_that_fails_was_never_there(test: TestDatabase) {
    let store = store(&test).await;
    let failed = test.db.transaction(async |db| {
        DatabaseNotificationStore::new(db).insert(note("a", &ADA, 1)).await?;
        Err::<(), _>(housekey_core::Error::internal("no"))
    });
    assert!(failed.await.is_err());
    assert!(store.list(&ADA.notifiable_key().unwrap(), false).await.unwrap().is_empty());
}

async fn a_missing_table_is_an_error_that_says_what_to_run(test: TestDatabase) {
    let store = DatabaseNotificationStore::new(test.db.clone());
    let error = store.insert(note("a", &ADA, 1)).await.unwrap_err().to_string();
    assert!(error.contains("make:notifications-table") && error.contains("migrate"), "{error}");
}

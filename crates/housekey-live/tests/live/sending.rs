//! What is said, and when.

use housekey_core::{Error, Result};
use housekey_database::{db, record};
use housekey_live::{broadcast, broadcast_in, live};
use serde_json::json;

use crate::clients::Socket;
use crate::shop::{book_of, test_app};

#[tokio::test]
async fn inside_a_transaction_nobody_hears_anything_before_the_commit_and_never_after_a_rollback() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let mut socket = Socket::open(server.address(), "").await;
    socket.subscribe(&["news"]).await;
    app.within(async {
        let rolled_back: Result<()> = db()?
            .transaction(async |_| {
                broadcast("news", "never").await?;
                Err(Error::conflict("no"))
            })
            .await;
        assert!(rolled_back.is_err());
        db()?
            .transaction(async |tx| {
                broadcast("news", "second").await?;
                tx.table("books").insert(record! { "owner_id" => "1" }).await?;
                live()?.assert_nothing_broadcast();
                // A part that is taken back takes its words along.
                let part: Result<()> = tx
                    .transaction(async |_| {
                        broadcast("news", "never").await?;
                        Err(Error::conflict("no"))
                    })
                    .await;
                assert!(part.is_err());
                Ok(())
            })
            .await?;
        let transaction = db()?.begin().await?;
        broadcast_in(&transaction, "news", "third").await?;
        transaction.commit().await?;
        live()?.assert_broadcast_times("news", 2);
        Ok::<_, Error>(())
    })
    .await
    .unwrap();
    assert_eq!([socket.message().await, socket.message().await], ["second", "third"]);
}

#[tokio::test]
async fn a_mistake_is_told_where_it_is_made() {
    let app = test_app(|config| config.max_message = 100).await;
    app.within(async {
        let unknown = broadcast("book.1", "x").await.unwrap_err().to_string();
        assert!(unknown.contains("\"book.1\"") && unknown.contains("books.{book}"), "{unknown}");
        let long = broadcast("news", &"x".repeat(99)).await.unwrap_err().to_string();
        assert!(long.contains("101 bytes") && long.contains("max_message"), "{long}");
        broadcast("news", &"x".repeat(98)).await.unwrap();
    })
    .await;
    let outside = broadcast("news", "x").await.unwrap_err().to_string();
    assert!(outside.contains("live provider"), "{outside}");
}

#[tokio::test]
async fn a_fake_records_what_is_said_and_nobody_hears_it() {
    let app = test_app(|_| ()).await;
    let server = app.serve().await;
    let mut socket = Socket::open(server.address(), "").await;
    socket.subscribe(&["news"]).await;
    let book = book_of(&app, "ada").await;
    app.within(async {
        broadcast("news", "before").await.unwrap();
        let live = live().unwrap();
        live.fake();
        broadcast(&format!("books.{book}"), &json!({ "lent": true })).await.unwrap();
        broadcast("news", "faked").await.unwrap();
        live.assert_broadcast("news").assert_broadcast_times("news", 2).assert_not_broadcast("rooms.1");
        live.assert_broadcast_where(&format!("books.{book}"), |said: &serde_json::Value| {
            said["lent"] == true
        });
        assert_eq!(live.broadcasts::<String>("news"), ["before", "faked"]);
    })
    .await;
    assert_eq!(socket.message().await, "before");
    let listening = async {
        assert_eq!(socket.next().await, json!({ "closed": 1001 }), "nothing else was heard");
        socket.next().await;
    };
    tokio::join!(listening, server.stop());
}

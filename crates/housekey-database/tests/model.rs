//! Models, factories and seeders, on every engine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on should end")]

use housekey_core::{Clock, Error, Result, Scope, Services};
use housekey_database::testing::Place;
use housekey_database::{
    Database, DatabaseConfig, Databases, Factory, FromRow, Model, Record, Seeder, Seeders, db,
    on_every_engine, record,
};
use time::OffsetDateTime;
use time::macros::datetime;

on_every_engine!(
    a_model_is_made_found_changed_and_deleted,
    a_model_reads_through_the_handle_it_is_given,
    a_row_that_is_gone_is_a_404,
    a_key_can_be_text,
    a_factory_makes_rows_that_differ,
    seeders_run_by_name_or_all_and_keep_nothing_when_they_fail,
);

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database", rename_all = "camelCase")]
#[model(table = "posts", timestamps)]
struct Post {
    id: i64,
    title: String,
    #[row(json)]
    tags: Vec<String>,
    #[row(rename = "viewCount")]
    views: i64,
    subtitle: Option<String>,
    created_at: OffsetDateTime,
    updated_at: OffsetDateTime,
}

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "tokens", key = "token")]
struct Token {
    token: String,
    #[row(skip)]
    seen: bool,
}

struct PostFactory;

impl Factory for PostFactory {
    type Model = Post;

    fn definition(number: u64) -> Record {
        record! { "title" => format!("Post {number}"), "tags" => housekey_database::Json(["a"]) }
    }
}

async fn tables(db: &Database) {
    db.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.string("title", 100).unique();
            table.json("tags");
            table.big_integer("viewCount").default(0);
            table.string("subtitle", 100).nullable();
            table.timestamp("createdAt");
            table.timestamp("updatedAt");
        });
        schema.create("tokens", |table| {
            table.string("token", 40).primary();
        });
    })
    .await
    .unwrap();
}

/// Inside an application with this database and a clock that stands still.
async fn inside<F: Future<Output = ()>>(place: &Place, clock: &Clock, work: F) {
    let config = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() };
    let mut services = Services::builder();
    services.insert(Databases::new(&config.with("main", place.config.clone()), &place.paths()));
    services.insert(clock.clone());
    tables(&place.db).await;
    Scope::new(services.build())
        .enter(async {
            work.await;
            db().unwrap().close().await;
        })
        .await;
}

async fn a_model_is_made_found_changed_and_deleted(place: Place) {
    let clock = Clock::frozen(datetime!(2026-01-31 9:00 UTC));
    inside(&place, &clock, async {
        let mut post = Post::create(record! { "title" => "Hello", "tags" => housekey_database::Json(["x"]) })
            .await
            .unwrap();
        assert_eq!((post.id, post.views, post.created_at), (1, 0, clock.now()));
        assert_eq!(post.tags, ["x"]);
        assert_eq!(Post::find(1).await.unwrap(), Some(post.clone()));
        assert_eq!(Post::find(2).await.unwrap(), None);

        clock.advance(std::time::Duration::from_millis(1500));
        post.title = "Changed".into();
        post.subtitle = Some("now with one".into());
        post.save().await.unwrap();
        let found = Post::find_or_404(1).await.unwrap();
        assert_eq!((found.title.as_str(), found.subtitle.as_deref()), ("Changed", Some("now with one")));
        assert_eq!(found.updated_at, datetime!(2026-01-31 9:00:01.5 UTC));
        assert_eq!(found.created_at, datetime!(2026-01-31 9:00 UTC));

        let typed: Vec<Post> = Post::query().unwrap().where_eq("title", "Changed").get().await.unwrap();
        assert_eq!(typed.first(), Some(&found));
        found.delete().await.unwrap();
        assert!(Post::all().await.unwrap().is_empty());
    })
    .await;
}

async fn a_model_reads_through_the_handle_it_is_given(place: Place) {
    inside(&place, &Clock::frozen_now(), async {
        let outcome: Result<()> = db()
            .unwrap()
            .transaction(async |tx| {
                let post = Post::on(&tx).create(PostFactory::make()).await?;
                // The ambient words are part of the transaction as well.
                assert_eq!(Post::find(post.id).await?, Some(post));
                assert_eq!(Post::on(&place.database()).all().await?.len(), 0);
                Err(Error::internal("on purpose"))
            })
            .await;
        assert!(outcome.is_err());
        assert!(Post::all().await.unwrap().is_empty());
    })
    .await;
}

async fn a_row_that_is_gone_is_a_404(place: Place) {
    inside(&place, &Clock::frozen_now(), async {
        assert_eq!(Post::find_or_404(7).await.unwrap_err().status(), 404);
        let post = PostFactory::create().await.unwrap();
        post.delete().await.unwrap();
        assert_eq!(post.save().await.unwrap_err().status(), 404);
    })
    .await;
}

async fn a_key_can_be_text(place: Place) {
    inside(&place, &Clock::frozen_now(), async {
        let token = Token::create(record! { "token" => "abc" }).await.unwrap();
        assert_eq!(token, Token { token: "abc".into(), seen: false });
        assert_eq!(Token::find("abc").await.unwrap(), Some(token));
        assert_eq!(Token::find("ABC").await.unwrap(), None);
    })
    .await;
}

async fn a_factory_makes_rows_that_differ(place: Place) {
    inside(&place, &Clock::frozen_now(), async {
        let many = PostFactory::create_many(5).await.unwrap();
        assert_eq!(many.len(), 5);
        let named = PostFactory::create_with(record! { "title" => "This one" }).await.unwrap();
        assert_eq!((named.title.as_str(), named.tags.len()), ("This one", 1));
        let on = PostFactory::create_on(&db().unwrap(), record! {}).await.unwrap();
        assert_eq!(on.id, 7);
    })
    .await;
}

struct Good;

impl Seeder for Good {
    async fn run(&self, db: Database) -> Result<()> {
        db.table("tokens").upsert([record! { "token" => "good" }], &["token"], &["token"]).await
    }
}

struct Bad;

impl Seeder for Bad {
    async fn run(&self, db: Database) -> Result<()> {
        db.table("tokens").insert(record! { "token" => "bad" }).await?;
        Err(Error::internal("on purpose"))
    }
}

async fn seeders_run_by_name_or_all_and_keep_nothing_when_they_fail(place: Place) {
    tables(&place.db).await;
    let seeders = Seeders::new().with(Good).with(Bad);
    assert_eq!(seeders.run(&place.db, Some("Good")).await.unwrap(), ["Good"]);
    let error = seeders.run(&place.db, None).await.unwrap_err().to_string();
    assert_eq!(error, "Bad failed; nothing of it was kept: on purpose");
    assert_eq!(place.db.table("tokens").pluck::<String>("token").await.unwrap(), ["good"]);
    let error = seeders.run(&place.db, Some("Nobody")).await.unwrap_err().to_string();
    assert_eq!(error, "there is no seeder `Nobody`; the app has Good, Bad");
}

//! Models, factories and seeders, on every engine.

use housekey_core::{Clock, Error, Result, Scope, Services};
use housekey_database::testing::TestDatabase;
use housekey_database::{
    Database, DatabaseConfig, Databases, Factory, FromRow, Model, Original, Page, Query, Record, Seeder,
    Seeders, db, on_every_engine, record,
};
use time::OffsetDateTime;
use time::macros::datetime;

on_every_engine!(
    a_model_is_made_found_changed_and_deleted,
    a_model_reads_through_the_handle_it_is_given,
    a_row_that_is_gone_is_a_404,
    copies_that_are_saved_at_the_same_time_leave_one_of_them_whole,
    two_people_who_change_different_columns_both_keep_their_change,
    a_read_only_field_is_read_and_never_saved,
    a_key_can_be_text,
    a_joined_model_reads_its_own_columns,
    a_bare_name_in_a_joined_query_means_the_models_column,
    a_joined_model_is_counted_and_paged_as_it_is_read,
    a_joined_model_without_named_columns_reads_its_own,
    a_joined_model_reads_what_is_selected,
    a_factory_makes_rows_that_differ,
    a_factory_can_leave_the_making_to_something_else,
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

/// The same rows, for somebody who must not change who has seen them.
#[derive(Debug, FromRow, Model)]
#[row(crate = "housekey_database", rename_all = "camelCase")]
#[model(table = "posts")]
struct Heading {
    id: i64,
    title: String,
    #[row(read_only)]
    view_count: i64,
}

/// The same rows, as `make:model` writes a model.
#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "posts")]
struct Draft {
    id: i64,
    title: String,
    subtitle: Option<String>,
    original: Original,
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
async fn inside<F: Future<Output = ()>>(test: &TestDatabase, clock: &Clock, work: F) {
    let config = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() };
    let mut services = Services::builder();
    services.insert(Databases::new(&config.with("main", test.config.clone()), &test.paths()));
    services.insert(clock.clone());
    tables(&test.db).await;
    Scope::new(services.build())
        .enter(async {
            work.await;
            db().unwrap().close().await;
        })
        .await;
}

async fn a_model_is_made_found_changed_and_deleted(test: TestDatabase) {
    let clock = Clock::frozen(datetime!(2026-01-31 9:00 UTC));
    inside(&test, &clock, async {
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

        let typed = Post::query().unwrap().where_eq("title", "Changed").get().await.unwrap();
        assert_eq!(typed.first(), Some(&found));
        found.delete().await.unwrap();
        assert!(Post::all().await.unwrap().is_empty());
    })
    .await;
}

async fn a_read_only_field_is_read_and_never_saved(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        let post = PostFactory::create().await.unwrap();
        let mut stale = Heading::find_or_404(post.id).await.unwrap();
        assert_eq!(stale.view_count, 0);
        Post::query().unwrap().where_eq("id", post.id).increment("viewCount", 3).await.unwrap();
        (stale.title, stale.view_count) = ("Changed".into(), 99);
        stale.save().await.unwrap();
        let now = Post::find_or_404(post.id).await.unwrap();
        assert_eq!((now.title.as_str(), now.views), ("Changed", 3));
    })
    .await;
}

async fn a_model_reads_through_the_handle_it_is_given(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        let outcome: Result<()> = db()
            .unwrap()
            .transaction(async |tx| {
                let post = Post::on(&tx).create(PostFactory::make()).await?;
                // The ambient words are part of the transaction as well.
                assert_eq!(Post::find(post.id).await?, Some(post));
                assert_eq!(Post::on(&test.database()).all().await?.len(), 0);
                Err(Error::internal("on purpose"))
            })
            .await;
        assert!(outcome.is_err());
        assert!(Post::all().await.unwrap().is_empty());
    })
    .await;
}

async fn a_row_that_is_gone_is_a_404(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        assert_eq!(Post::find_or_404(7).await.unwrap_err().status(), 404);
        let mut post = PostFactory::create().await.unwrap();
        post.delete().await.unwrap();
        assert_eq!(post.save().await.unwrap_err().status(), 404);
    })
    .await;
}

/// The last one wins; what must not be lost to another is counted in the database or saved in a transaction.
async fn copies_that_are_saved_at_the_same_time_leave_one_of_them_whole(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        let post = PostFactory::create().await.unwrap();
        let saves = (1..=20).map(|number| {
            let text = format!("copy {number}");
            let mut copy = Post { title: text.clone(), subtitle: Some(text), views: number, ..post.clone() };
            async move { copy.save().await }
        });
        for saved in futures_util::future::join_all(saves).await {
            saved.unwrap();
        }
        let left = Post::all().await.unwrap();
        let [left] = &left[..] else { panic!("there is still one row: {left:?}") };
        let text = format!("copy {}", left.views);
        assert_eq!((&left.title, &left.subtitle), (&text, &Some(text.clone())));
    })
    .await;
}

// spec: DAT-2
async fn two_people_who_change_different_columns_both_keep_their_change(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        let id = PostFactory::create().await.unwrap().id;
        let mut ada = Draft::find_or_404(id).await.unwrap();
        let mut grace = ada.clone();
        ada.title = "Ada's title".into();
        ada.save().await.unwrap();
        grace.subtitle = Some("Grace's subtitle".into());
        grace.save().await.unwrap();
        let kept = Draft::find_or_404(id).await.unwrap();
        assert_eq!(
            (kept.title.as_str(), kept.subtitle.as_deref()),
            ("Ada's title", Some("Grace's subtitle"))
        );
    })
    .await;
}

async fn a_key_can_be_text(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        let token = Token::create(record! { "token" => "abc" }).await.unwrap();
        assert_eq!(token, Token { token: "abc".into(), seen: false });
        assert_eq!(Token::find("abc").await.unwrap(), Some(token));
        assert_eq!(Token::find("ABC").await.unwrap(), None);
    })
    .await;
}

async fn a_factory_makes_rows_that_differ(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        let many = PostFactory::create_many(5).await.unwrap();
        assert_eq!(many.len(), 5);
        let named = PostFactory::create_with(record! { "title" => "This one" }).await.unwrap();
        assert_eq!((named.title.as_str(), named.tags.len()), ("This one", 1));
        let on = PostFactory::create_on(&db().unwrap(), record! {}).await.unwrap();
        assert_eq!(on.id, 7);
    })
    .await;
}

/// What it makes is published by other code than the model's.
struct PublishedFactory;

impl Factory for PublishedFactory {
    type Model = Post;

    fn definition(number: u64) -> Record {
        PostFactory::definition(number)
    }

    async fn insert(columns: Record) -> Result<Post> {
        let title = columns.read(Post::title)?.unwrap_or_default();
        Post::create(columns.with(Post::title, format!("{title}, published"))).await
    }
}

async fn a_factory_can_leave_the_making_to_something_else(test: TestDatabase) {
    inside(&test, &Clock::frozen_now(), async {
        let news = PublishedFactory::create_with(record! { Post::title => "News" }).await.unwrap();
        assert_eq!(news.title, "News, published");
        let mut all = PublishedFactory::create_many(2).await.unwrap();
        all.push(PublishedFactory::create().await.unwrap());
        assert!(all.iter().all(|post| post.title.ends_with(", published")), "{all:?}");
    })
    .await;
}

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "books")]
struct Book {
    id: i64,
    name: String,
}

/// A field that may be missing: the columns are not named one by one.
#[derive(Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "books")]
struct LooseBook {
    id: i64,
    #[row(default)]
    name: String,
}

/// Three books and two tags: no book has the key of one of its tags, and all three tables have a column `name`.
async fn library(db: &Database) {
    db.schema(|schema| {
        for table in ["books", "tags"] {
            schema.create(table, |table| {
                table.id();
                table.string("name", 50);
            });
        }
        schema.create("book_tag", |table| {
            table.id();
            table.big_integer("book_id");
            table.big_integer("tag_id");
            table.string("name", 50);
        });
    })
    .await
    .unwrap();
    for name in ["Rivers", "Hills", "Roads"] {
        db.table("books").insert(record! { "name" => name }).await.unwrap();
    }
    for name in ["poem", "short"] {
        db.table("tags").insert(record! { "name" => name }).await.unwrap();
    }
    for (book, tag) in [(3, 1), (3, 2), (2, 1)] {
        let link = record! { "book_id" => book, "tag_id" => tag, "name" => "link" };
        db.table("book_tag").insert(link).await.unwrap();
    }
}

fn tagged<M: Model>(db: &Database, tag: &str) -> Query<M> {
    with_tags::<M>(db).where_eq("tags.name", tag)
}

fn with_tags<M: Model>(db: &Database) -> Query<M> {
    M::on(db).query().join("book_tag", "book_tag.book_id", "books.id").join(
        "tags",
        "tags.id",
        "book_tag.tag_id",
    )
}

async fn a_joined_model_reads_its_own_columns(test: TestDatabase) {
    library(&test.db).await;
    let roads = Book { id: 3, name: "Roads".into() };
    let short = || tagged::<Book>(&test.db, "short");
    assert_eq!(short().get().await.unwrap(), std::slice::from_ref(&roads));
    assert_eq!(short().first().await.unwrap().as_ref(), Some(&roads));
    assert_eq!(short().first_or_404().await.unwrap(), roads);
    assert_eq!(short().rows().await.unwrap()[0].columns(), ["id", "name"]);

    let mut found = short().first_or_404().await.unwrap();
    found.name = "Long roads".into();
    Book::on(&test.db).save(&mut found).await.unwrap();
    let names: Vec<String> = test.db.table("books").order_by("id").pluck("name").await.unwrap();
    assert_eq!(names, ["Rivers", "Hills", "Long roads"]);
}

async fn a_bare_name_in_a_joined_query_means_the_models_column(test: TestDatabase) {
    library(&test.db).await;
    let poems = || tagged::<Book>(&test.db, "poem");
    let ids = async |query: Query<Book>| query.order_by("id").pluck::<i64>("id").await.unwrap();
    assert_eq!(ids(poems()).await, [2, 3]);
    assert_eq!(ids(poems().where_eq("id", 3)).await, [3]);
    assert_eq!(ids(poems().where_in("id", [1, 2])).await, [2]);
    assert_eq!(ids(poems().where_not_in("name", ["Hills"])).await, [3]);
    assert_eq!(ids(poems().where_between("id", 3, 9)).await, [3]);
    assert_eq!(ids(poems().where_column("id", "book_tag.id")).await, [] as [i64; 0]);
    assert_eq!(ids(poems().where_any(|any| any.where_eq("name", "Hills").where_eq("id", 9))).await, [2]);
    assert_eq!(
        ids(poems().or_where(|or| or.where_eq("name", "Roads").where_not_null("id"))).await,
        [2, 3, 3]
    );
    assert_eq!(
        poems().order_by_desc("name").value::<String>("name").await.unwrap().as_deref(),
        Some("Roads")
    );

    // A name that the query gives itself comes first.
    let shown = poems().select(["books.id", "tags.id as name"]).order_by("name").order_by_desc("id");
    assert_eq!(shown.read_as::<(i64, i64)>().get().await.unwrap(), [(3, 1), (2, 1)]);
}

async fn a_joined_model_is_counted_and_paged_as_it_is_read(test: TestDatabase) {
    library(&test.db).await;
    let all = || with_tags::<Book>(&test.db).order_by("id");
    assert_eq!(all().count().await.unwrap(), 3);
    assert_eq!(all().distinct().count().await.unwrap(), 2);
    assert!(all().where_eq("id", 2).exists().await.unwrap());
    assert!(!all().where_eq("id", 1).exists().await.unwrap());
    let page: Page<Book> = all().distinct().paginate(2, 1).await.unwrap();
    assert_eq!((page.total, page.items[0].id), (2, 3));

    let mut chunks = all().distinct().chunk_by("id", 1);
    let mut ids = Vec::new();
    while let Some(books) = chunks.next().await.unwrap() {
        ids.extend(books.into_iter().map(|book| book.id));
    }
    assert_eq!(ids, [2, 3]);
}

async fn a_joined_model_without_named_columns_reads_its_own(test: TestDatabase) {
    library(&test.db).await;
    let book: LooseBook = tagged::<LooseBook>(&test.db, "short").first_or_404().await.unwrap();
    assert_eq!((book.id, book.name.as_str()), (3, "Roads"));
}

async fn a_joined_model_reads_what_is_selected(test: TestDatabase) {
    library(&test.db).await;
    let pairs = with_tags::<Book>(&test.db)
        .select(["name", "tags.name as tag"])
        .order_by("id")
        .order_by("tag")
        .read_as::<(String, String)>()
        .get()
        .await
        .unwrap();
    let pairs: Vec<_> = pairs.iter().map(|(book, tag)| (book.as_str(), tag.as_str())).collect();
    assert_eq!(pairs, [("Hills", "poem"), ("Roads", "poem"), ("Roads", "short")]);
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

async fn seeders_run_by_name_or_all_and_keep_nothing_when_they_fail(test: TestDatabase) {
    tables(&test.db).await;
    let seeders = Seeders::new().with(Good).with(Bad);
    assert_eq!(seeders.run(&test.db, Some("Good")).await.unwrap(), ["Good"]);
    let error = seeders.run(&test.db, None).await.unwrap_err().to_string();
    assert_eq!(error, "Bad failed; nothing of it was kept: on purpose");
    assert_eq!(test.db.table("tokens").pluck::<String>("token").await.unwrap(), ["good"]);
    let error = seeders.run(&test.db, Some("Nobody")).await.unwrap_err().to_string();
    assert_eq!(error, "there is no seeder `Nobody`; the app has Good, Bad");
}

//! Models whose rows belong to an organisation: no way leads from one organisation's rows to another's, on every engine.

use housekey_core::{Error, Result, Scope, Services};
use housekey_database::sql::Expr;
use housekey_database::testing::TestDatabase;
use housekey_database::{
    BelongsToOrganization, Database, DatabaseConfig, Databases, Driver, Factory, FromRow, Model, Record,
    Records, TenantId, TenantSource, db, on_every_engine, record, within_tenant,
};

on_every_engine!(
    rows_are_found_within_the_organization_alone,
    another_organizations_row_is_not_found_changed_or_deleted,
    no_word_of_a_query_leads_out_of_the_organization,
    a_new_row_belongs_to_the_organization_and_to_no_other,
    a_row_stays_with_its_organization,
    an_upsert_changes_no_row_of_another_organization,
    without_an_organization_everything_fails_and_says_what_to_do,
    without_an_organization_many_rows_are_refused_as_few_are,
    the_way_out_has_a_name_and_sees_everything,
    the_organization_of_the_work_is_asked_before_that_of_the_app,
    a_joined_query_stays_within_the_organization,
    rows_go_with_their_organization,
);

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "posts", belongs_to_organization)]
struct Post {
    id: i64,
    organization_id: String,
    title: String,
    views: i64,
}

/// The column in another spelling.
#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database", rename_all = "camelCase")]
#[model(table = "notes", belongs_to_organization)]
struct Note {
    id: i64,
    organization_id: String,
}

struct PostFactory;

impl Factory for PostFactory {
    type Model = Post;

    fn definition(number: u64) -> Record {
        record! { "title" => format!("Post {number}"), "views" => 0 }
    }
}

fn acme() -> TenantId {
    TenantId::new("acme")
}

fn evil() -> TenantId {
    TenantId::new("evil")
}

fn posts_of(organization: &TenantId) -> Records<Post> {
    Post::of(organization).unwrap()
}

async fn tables(db: &Database) {
    db.schema(|schema| {
        schema.create("organization", |table| {
            table.string("id", 36).primary();
        });
        schema.create("posts", |table| {
            table.id();
            table.organization_id();
            table.string("title", 100);
            table.big_integer("views").default(0);
            table.unique(["organization_id", "title"]);
        });
        schema.create("notes", |table| {
            table.id();
            table.string("organizationId", 36);
        });
    })
    .await
    .unwrap();
    for id in ["acme", "evil"] {
        db.table("organization").insert(record! { "id" => id }).await.unwrap();
    }
}

/// Inside an app in which requests are for the organisation that `source` tells.
async fn inside_for<F: Future<Output = ()>>(test: &TestDatabase, source: Option<&'static str>, work: F) {
    let config = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() };
    let mut services = Services::builder();
    services.insert(Databases::new(&config.with("main", test.config.clone()), &test.paths()));
    services.insert(TenantSource::new(move || source.map(str::to_owned)));
    tables(&test.db).await;
    Scope::new(services.build())
        .enter(async {
            work.await;
            db().unwrap().close().await;
        })
        .await;
}

async fn inside<F: Future<Output = ()>>(test: &TestDatabase, work: F) {
    inside_for(test, Some("acme"), work).await;
}

/// A post of acme and one of evil, in this order.
async fn two_posts() -> (Post, Post) {
    let ours = posts_of(&acme()).create(record! { "title" => "ours" }).await.unwrap();
    let theirs = posts_of(&evil()).create(record! { "title" => "theirs" }).await.unwrap();
    (ours, theirs)
}

async fn all_titles() -> Vec<String> {
    db().unwrap().table("posts").order_by("id").pluck("title").await.unwrap()
}

fn said<T: std::fmt::Debug>(outcome: Result<T>) -> String {
    let error: Error = outcome.unwrap_err();
    format!("{error:#}")
}

// spec: ORG-4
async fn rows_are_found_within_the_organization_alone(test: TestDatabase) {
    inside(&test, async {
        let (ours, theirs) = two_posts().await;
        assert_eq!(Post::all().await.unwrap(), std::slice::from_ref(&ours));
        assert_eq!(Post::find(ours.id).await.unwrap(), Some(ours));
        assert_eq!(Post::find(theirs.id).await.unwrap(), None);
        assert_eq!(Post::find_or_404(theirs.id).await.unwrap_err().status(), 404);
        let query = Post::query().unwrap();
        assert_eq!(query.count().await.unwrap(), 1);
        assert!(!query.clone().where_eq("id", theirs.id).exists().await.unwrap());
        assert_eq!(query.pluck::<String>("title").await.unwrap(), ["ours"]);
        assert_eq!(query.clone().order_by("id").paginate(1, 10).await.unwrap().total, 1);
        let mut chunks = query.chunk_by("id", 1);
        assert_eq!(chunks.next().await.unwrap().unwrap().len(), 1);
        assert!(chunks.next().await.unwrap().is_none());
        assert_eq!(Post::on(&db().unwrap()).all().await.unwrap().len(), 1);
    })
    .await;
}

// spec: ORG-4
async fn another_organizations_row_is_not_found_changed_or_deleted(test: TestDatabase) {
    inside(&test, async {
        let (_, mut theirs) = two_posts().await;
        theirs.delete().await.unwrap();
        let touched = Post::query().unwrap().where_eq("id", theirs.id);
        assert_eq!(touched.update(record! { "title" => "taken" }).await.unwrap(), 0);
        assert_eq!(touched.increment("views", 1).await.unwrap(), 0);
        assert_eq!(touched.delete().await.unwrap(), 0);
        // A row that somebody pretends is ours.
        let mut forged = Post { organization_id: "acme".into(), title: "taken".into(), ..theirs.clone() };
        assert_eq!(forged.save().await.unwrap_err().status(), 404);
        assert!(said(theirs.save().await).contains("across_organizations"));
        assert_eq!(Post::query().unwrap().delete().await.unwrap(), 1, "all of ours, and no other");
        assert_eq!(all_titles().await, ["theirs"]);
    })
    .await;
}

// spec: ORG-4
async fn no_word_of_a_query_leads_out_of_the_organization(test: TestDatabase) {
    inside(&test, async {
        two_posts().await;
        let query = || Post::query().unwrap().where_eq("title", "ours");
        let widened = [
            query().or_where(|or| or.where_not_null("id")),
            query().where_any(|any| any.where_eq("title", "theirs").where_not_null("id")),
            Post::query().unwrap().or_where(|or| or.where_eq("organization_id", "evil")),
            Post::query().unwrap().where_expr(Expr::cust("1 = 1 OR 1 = 1")),
            query().where_expr(Expr::cust("1 = 0 OR 1 = 1")),
            query().or_where(|or| or.where_expr(Expr::cust("1 = 1 OR 1 = 1"))),
        ];
        for query in widened {
            let titles: Vec<String> = query.pluck("title").await.unwrap();
            assert!(titles.iter().all(|title| title == "ours"), "{query:?}");
            assert_eq!(query.count().await.unwrap(), titles.len() as u64, "{query:?}");
            query.update(record! { "views" => 7 }).await.unwrap();
            query.delete().await.unwrap();
        }
        assert_eq!(all_titles().await, ["theirs"]);
        assert_eq!(posts_of(&evil()).query().value::<i64>("views").await.unwrap(), Some(0));
        let asked_for = Post::query().unwrap().where_eq("organization_id", "evil").get().await.unwrap();
        assert!(asked_for.is_empty());
        let typed = Post::query().unwrap().read_as::<Note>();
        assert!(typed.to_sql().unwrap().contains("organization_id"), "{typed:?}");
    })
    .await;
}

// spec: ORG-4
async fn a_new_row_belongs_to_the_organization_and_to_no_other(test: TestDatabase) {
    inside(&test, async {
        let made = Post::create(record! { "title" => "made" }).await.unwrap();
        assert_eq!(made.organization_id, "acme");
        let said_so = record! { "title" => "said so", "organization_id" => "acme" };
        assert_eq!(Post::create(said_so).await.unwrap().organization_id, "acme");
        for column in ["organization_id", "ORGANIZATION_ID"] {
            let foreign = || Record::new().with("title", "foreign").with(column, "evil");
            assert!(said(Post::create(foreign()).await).contains("another `organization_id`"), "{column}");
            let query = Post::query().unwrap();
            said(query.insert(foreign()).await);
            said(query.insert_or_ignore(foreign()).await);
            said(query.insert_many([foreign()]).await);
            said(query.insert_returning::<Post>(foreign(), "id").await);
        }
        let nobody = record! { "title" => "nobody's", "organization_id" => None::<String> };
        said(Post::create(nobody).await);
        Post::query()
            .unwrap()
            .insert_many([record! { "title" => "one" }, record! { "title" => "two" }])
            .await
            .unwrap();
        assert!(Post::query().unwrap().insert_or_ignore(record! { "title" => "three" }).await.unwrap());
        assert_eq!(Post::query().unwrap().count().await.unwrap(), 5);
        assert_eq!(PostFactory::create().await.unwrap().organization_id, "acme");
        let theirs = PostFactory::create_of(&evil(), Record::new()).await.unwrap();
        assert_eq!(theirs.organization_id, "evil");
    })
    .await;
}

// spec: ORG-4
async fn a_row_stays_with_its_organization(test: TestDatabase) {
    inside(&test, async {
        let (ours, _) = two_posts().await;
        let mut moved = Post { title: "renamed".into(), ..ours };
        moved.save().await.unwrap();
        moved.organization_id = "evil".into();
        said(moved.save().await);
        let query = Post::query().unwrap();
        said(query.update(record! { "organization_id" => "evil" }).await);
        said(query.update(record! { "Organization_Id" => "evil" }).await);
        said(query.update_with(vec![("organization_id".into(), Expr::val("evil"))]).await);
        said(query.increment("organization_id", 1).await);
        assert_eq!(query.update(record! { "organization_id" => "acme", "views" => 3 }).await.unwrap(), 1);
        assert_eq!(Post::find(moved.id).await.unwrap().unwrap().title, "renamed");
        // Moving is something that one has to say.
        Post::across_organizations().unwrap().save(&mut moved).await.unwrap();
        assert_eq!(posts_of(&evil()).query().count().await.unwrap(), 2);
    })
    .await;
}

// spec: ORG-4
async fn an_upsert_changes_no_row_of_another_organization(test: TestDatabase) {
    inside(&test, async {
        two_posts().await;
        let theirs = || [record! { "title" => "theirs", "views" => 9 }];
        let query = Post::query().unwrap();
        assert!(said(query.upsert(theirs(), &["title"], &["views"]).await).contains("unique columns"));
        said(query.upsert(theirs(), &["organization_id", "title"], &["organization_id"]).await);
        let outcome = query.upsert(theirs(), &["organization_id", "title"], &["views"]).await;
        if test.db.driver() == Driver::MySql {
            assert!(said(outcome).contains("every unique index"));
        } else {
            outcome.unwrap();
            assert_eq!(query.count().await.unwrap(), 2, "a row of ours with the same title");
        }
        assert_eq!(posts_of(&evil()).query().value::<i64>("views").await.unwrap(), Some(0));
    })
    .await;
}

// spec: ORG-4
async fn without_an_organization_everything_fails_and_says_what_to_do(test: TestDatabase) {
    inside_for(&test, None, async {
        let (mut ours, _) = two_posts().await;
        let query = Post::query().unwrap();
        let outcomes = [
            said(Post::all().await),
            said(Post::find(ours.id).await),
            said(Post::create(record! { "title" => "lost" }).await),
            said(ours.save().await),
            said(ours.delete().await),
            said(query.count().await),
            said(query.exists().await),
            said(query.insert(record! { "title" => "lost" }).await),
            said(query.update(record! { "views" => 1 }).await),
            said(query.delete().await),
            said(query.clone().or_where(|or| or.where_not_null("id")).get().await),
            said(Post::on(&db().unwrap()).all().await),
            said(PostFactory::create().await),
        ];
        for outcome in outcomes {
            for word in ["Post belongs to an organisation", "`member`", "TenantId", "across_organizations()"]
            {
                assert!(outcome.contains(word), "{outcome}");
            }
        }
        assert_eq!(all_titles().await, ["ours", "theirs"]);
    })
    .await;
}

// spec: ORG-4
async fn without_an_organization_many_rows_are_refused_as_few_are(test: TestDatabase) {
    inside_for(&test, None, async {
        let query = Post::query().unwrap();
        // More values than one statement takes: they are written in pieces.
        for count in [1, 10_001] {
            let posts = || {
                (0..count).map(|number| {
                    record! { "organization_id" => "evil", "title" => format!("Post {number}"), "views" => 0 }
                })
            };
            assert!(said(query.insert_many(posts()).await).contains("Post belongs to an organisation"));
            let unique = ["organization_id", "title"];
            let upsert = query.upsert(posts(), &unique, &["views"]).await;
            assert!(said(upsert).contains("Post belongs to an organisation"));
        }
        assert!(all_titles().await.is_empty());
    })
    .await;
}

// spec: ORG-4
async fn the_way_out_has_a_name_and_sees_everything(test: TestDatabase) {
    inside(&test, async {
        two_posts().await;
        let all = Post::across_organizations().unwrap();
        assert_eq!(all.query().count().await.unwrap(), 2);
        let made = all.create(record! { "title" => "third", "organization_id" => "evil" }).await.unwrap();
        assert_eq!(made.organization_id, "evil");
        assert!(all.create(record! { "title" => "nobody's" }).await.is_err(), "the column is not empty");
        let inside = test.db.driver();
        db().unwrap()
            .transaction(async |tx| {
                let theirs = Post::of(&evil())?.through(&tx);
                assert_eq!(theirs.query().delete().await?, 2, "{inside:?}");
                Ok(())
            })
            .await
            .unwrap();
        assert_eq!(all_titles().await, ["ours"]);
    })
    .await;
}

// spec: ORG-4
async fn the_organization_of_the_work_is_asked_before_that_of_the_app(test: TestDatabase) {
    inside(&test, async {
        two_posts().await;
        let theirs = within_tenant(&evil(), Post::all()).await.unwrap();
        assert_eq!(theirs[0].title, "theirs");
        let inner = within_tenant(&evil(), async { within_tenant(&acme(), Post::all()).await });
        assert_eq!(inner.await.unwrap()[0].title, "ours");
        assert_eq!(Post::all().await.unwrap()[0].title, "ours");
        let note = within_tenant(&evil(), Note::create(Record::new())).await.unwrap();
        assert_eq!((note.id, note.organization_id.as_str()), (1, "evil"));
        assert!(Note::all().await.unwrap().is_empty());
    })
    .await;
}

// spec: ORG-4
async fn a_joined_query_stays_within_the_organization(test: TestDatabase) {
    inside(&test, async {
        two_posts().await;
        let joined = Post::query()
            .unwrap()
            .left_join("posts as other", "other.id", "posts.id")
            .or_where(|or| or.where_not_null("other.id"))
            .order_by("id");
        let titles: Vec<String> = joined.pluck("title").await.unwrap();
        assert_eq!(titles, ["ours"]);
        assert_eq!(joined.paginate(1, 5).await.unwrap().total, 1);
    })
    .await;
}

async fn rows_go_with_their_organization(test: TestDatabase) {
    inside(&test, async {
        two_posts().await;
        db().unwrap().table("organization").where_eq("id", "acme").delete().await.unwrap();
        assert_eq!(all_titles().await, ["theirs"]);
    })
    .await;
}

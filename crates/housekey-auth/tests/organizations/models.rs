use housekey_core::Result;
use housekey_database::{BelongsToOrganization, FromRow, Model, TenantId, record, within_tenant};
use housekey_http::Routes;
use housekey_http::axum::Json;
use housekey_http::axum::extract::Path;
use housekey_testing::TestApp;

use crate::organizations::{app, go_to, organization_of, somebody};

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "posts", belongs_to_organization)]
struct Post {
    id: i64,
    organization_id: String,
    title: String,
}

pub(crate) fn routes(route: &mut Routes) {
    route.get("/posts", async || Ok::<_, housekey_core::Error>(Json(titles(Post::all().await?))));
    route.post("/posts/{title}", async |Path(title): Path<String>| {
        Post::create(record! { "title" => title }).await.map(|post| post.organization_id)
    });
    route.get("/posts/{id}", async |Path(id): Path<i64>| Post::find_or_404(id).await.map(|post| post.title));
    route.delete("/posts/{id}", async |Path(id): Path<i64>| {
        Post::find_or_404(id).await?.delete().await.map(|()| "gone")
    });
}

fn titles(posts: Vec<Post>) -> Vec<String> {
    posts.into_iter().map(|post| post.title).collect()
}

async fn with_posts() -> TestApp {
    let app = app().await;
    let database = housekey_auth::Auth::of(app.services()).unwrap().database().unwrap();
    let made = database.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.organization_id();
            table.string("title", 100);
        });
    });
    made.await.unwrap();
    app
}

// spec: ORG-4
#[tokio::test]
async fn a_model_of_the_organization_follows_the_request() {
    let app = with_posts().await;
    let (_, ada) = somebody(&app, "ada@example.com").await;
    let acme = organization_of(&ada, "acme").await;
    ada.post("/posts/ours").await.assert_see(&acme);
    let (_, eve) = somebody(&app, "eve@example.com").await;
    let evil = organization_of(&eve, "evil").await;
    eve.post("/posts/theirs").await.assert_see(&evil);
    assert_eq!(eve.get("/posts").await.json::<Vec<String>>(), ["theirs"]);
    eve.get("/posts/1").await.assert_status(404);
    eve.delete("/posts/1").await.assert_status(404);
    ada.get("/posts/1").await.assert_see("ours");
    // The same person in another organisation.
    organization_of(&ada, "second").await;
    assert_eq!(ada.get("/posts").await.json::<Vec<String>>().len(), 0);
    go_to(&ada, &acme).await;
    assert_eq!(ada.get("/posts").await.json::<Vec<String>>(), ["ours"]);
}

// spec: ORG-4
#[tokio::test]
async fn without_an_organization_a_request_for_such_rows_fails() {
    let app = with_posts().await;
    app.get("/posts").accept_json().await.assert_status(500);
    let (_, ada) = somebody(&app, "ada@example.com").await;
    ada.get("/posts").accept_json().await.assert_status(500);
    ada.post("/posts/lost").accept_json().await.assert_status(500);
    let all: Result<u64> = app.within(async { Post::across_organizations()?.query().count().await }).await;
    assert_eq!(all.unwrap(), 0);
    let job = app.within(within_tenant(&TenantId::new("nobody"), Post::all())).await;
    assert!(job.unwrap().is_empty());
}

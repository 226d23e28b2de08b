use housekey_auth::engine::plugins::api_key::{KeyFor, NewApiKey};
use housekey_auth::{Auth, api_key, organization, user};
use housekey_database::{FromRow, Model, record};
use housekey_http::Routes;
use housekey_http::axum::Json;
use serde_json::{Value, json};

use crate::api_keys::{HEADER, app, key_of};
use crate::support::engine_post;

#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "posts", belongs_to_organization)]
struct Post {
    id: i64,
    organization_id: String,
    title: String,
}

pub(crate) fn routes(route: &mut Routes) {
    route
        .get("/posts", async || {
            let titles = Post::all().await?.into_iter().map(|post| post.title).collect::<Vec<_>>();
            let of = api_key().and_then(|shown| Some(shown.owner.organization()?.slug.clone()));
            let others = json!({ "user": user().is_some(), "active": organization().is_some() });
            Ok::<_, housekey_core::Error>(Json(json!({ "titles": titles, "of": of, "others": others })))
        })
        .middleware("auth:session,api-key");
}

// spec: KEY-4, ORG-4
#[tokio::test]
async fn a_key_of_an_organisation_reaches_what_is_its_own() {
    let app = app().await;
    let database = Auth::of(app.services()).unwrap().database().unwrap();
    let made = database.schema(|schema| {
        schema.create("posts", |table| {
            table.id();
            table.organization_id();
            table.string("title", 100);
        });
    });
    made.await.unwrap();
    let mut ids = Vec::new();
    let mut visitors = Vec::new();
    for slug in ["acme", "evil"] {
        let founder = app.user(&format!("{slug}@example.com")).await;
        let founder = app.signed_in(&founder).await;
        let body = json!({ "name": slug, "slug": slug });
        let house = engine_post(&founder, "organization/create", &body).await;
        let id = house.json::<Value>()["id"].as_str().unwrap().to_owned();
        let row = record! { "title" => format!("of {slug}"), "organization_id" => id.clone() };
        database.table("posts").insert(row).await.unwrap();
        ids.push(id);
        visitors.push(founder);
    }
    let wanted = NewApiKey { config_id: Some("organization".into()), ..NewApiKey::default() };
    let key = key_of(&app, KeyFor::Organization(&ids[0]), wanted).await;
    let expected =
        json!({ "titles": ["of acme"], "of": "acme", "others": { "user": false, "active": false } });
    assert_eq!(app.get("/posts").header(HEADER, &key).await.assert_ok().json::<Value>(), expected);
    // Whoever is in another organisation, and shows this key, is in that of the key.
    assert_eq!(visitors[1].get("/posts").header(HEADER, &key).await.json::<Value>(), expected);
    assert_eq!(visitors[1].get("/posts").await.json::<Value>()["titles"], json!(["of evil"]));
}

//! Admins on every database: the last one stays, whoever races for that, and a list finds what it is asked for.

use bytes::Bytes;
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_engine::Engine;
use housekey_engine::options::{EmailAndPassword, EngineOptions, RateLimitOptions};
use housekey_engine::plugins::{AdminOptions, admin};
use housekey_engine_sql::SqlStorage;
use http::{Request, Response, StatusCode};
use serde_json::{Value, json};

on_every_engine!(
    of_two_admins_who_take_each_other_s_place_away_one_is_left,
    a_list_finds_what_it_is_asked_for,
    a_page_far_behind_is_the_one_that_comes_then,
    an_address_is_found_by_how_it_begins,
);

/// An engine of its own, as another process has it: whoever signs up is an admin.
fn engine(storage: &SqlStorage) -> Engine {
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        rate_limit: RateLimitOptions { enabled: Some(false), ..Default::default() },
        ..Default::default()
    };
    let everybody = AdminOptions { default_role: "admin".into(), ..Default::default() };
    Engine::builder(options).plugins([admin(everybody)]).build(storage.clone()).unwrap()
}

async fn two_processes(test: TestDatabase) -> (Engine, Engine) {
    let storage = SqlStorage::new(test.db);
    let (one, other) = (engine(&storage), engine(&storage));
    storage.create_tables(one.schema()).await.unwrap();
    (one, other)
}

async fn post(engine: &Engine, cookie: &str, path: &str, body: Value) -> Response<Bytes> {
    let request = Request::post(format!("/api/auth{path}"))
        .header("content-type", "application/json")
        .header("origin", "http://localhost:3000")
        .header("cookie", cookie)
        .body(Bytes::from(body.to_string()))
        .unwrap();
    engine.handle(request).await
}

fn json_of(answer: &Response<Bytes>) -> Value {
    serde_json::from_slice(answer.body()).unwrap()
}

/// Somebody who signed up: the cookie and the id.
async fn person(engine: &Engine, name: &str) -> (String, String) {
    let body = json!({ "name": name, "email": format!("{name}@example.com"), "password": "correct horse" });
    let answer = post(engine, "", "/sign-up/email", body).await;
    assert_eq!(answer.status(), StatusCode::OK, "{:?}", answer.body());
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    (cookie, json_of(&answer)["user"]["id"].as_str().unwrap().to_owned())
}

// spec: ADM-2
async fn of_two_admins_who_take_each_other_s_place_away_one_is_left(test: TestDatabase) {
    let (here, there) = two_processes(test).await;
    let (alice, alice_id) = person(&here, "alice").await;
    let (mut last, mut last_id) = (alice, alice_id);
    for (round, path) in
        ["/admin/set-role", "/admin/ban-user", "/admin/remove-user", "/admin/set-role", "/admin/remove-user"]
            .into_iter()
            .enumerate()
    {
        let (other, other_id) = person(&there, &format!("anna{round}")).await;
        let about = |id: &str| json!({ "userId": id, "role": "user" });
        let (one, two) = tokio::join!(
            post(&here, &last, path, about(&other_id)),
            post(&there, &other, path, about(&last_id))
        );
        let done = [&one, &two].iter().filter(|answer| answer.status().is_success()).count();
        assert_eq!(done, 1, "{path}: {:?} {:?}", one.body(), two.body());
        if two.status().is_success() {
            (last, last_id) = (other, other_id);
        }
        let leave = post(&there, &last, "/admin/set-role", about(&last_id)).await;
        assert_eq!(json_of(&leave)["code"], "LAST_ADMIN", "{path}");
    }
}

// spec: ADM-1
async fn a_list_finds_what_it_is_asked_for(test: TestDatabase) {
    let (here, _) = two_processes(test).await;
    let (alice, _) = person(&here, "alice").await;
    for (name, role) in
        [("bob", json!(["user", "author"])), ("carol_x", json!("author")), ("dave", json!("coauthor"))]
    {
        let (_, id) = person(&here, name).await;
        let answer = post(&here, &alice, "/admin/set-role", json!({ "userId": id, "role": role })).await;
        assert_eq!(answer.status(), StatusCode::OK);
    }
    let list = async |query: &str| {
        let request = Request::get(format!("/api/auth/admin/list-users?{query}")).header("cookie", &alice);
        let answer = here.handle(request.body(Bytes::new()).unwrap()).await;
        assert_eq!(answer.status(), StatusCode::OK, "{query}: {:?}", answer.body());
        let answer = json_of(&answer);
        let users = answer["users"].as_array().unwrap().clone();
        let names: Vec<_> = users.iter().map(|user| user["name"].as_str().unwrap().to_owned()).collect();
        (names, answer["total"].as_u64().unwrap())
    };
    for (query, expected, total) in [
        ("", vec!["alice", "bob", "carol_x", "dave"], 4),
        ("searchValue=_", vec!["carol_x"], 1),
        ("searchValue=%25", vec![], 0),
        ("searchValue=BOB&searchField=email,name", vec!["bob"], 1),
        ("filterField=role&filterValue=author", vec!["bob", "carol_x"], 2),
        ("filterField=role&filterValue=author&searchValue=c", vec!["bob", "carol_x"], 2),
        (
            "filterField=banned&filterValue=false&sortBy=email&sortDirection=desc&limit=1&offset=1",
            vec!["carol_x"],
            4,
        ),
        (
            "filterField=createdAt&filterOperator=gt&filterValue=2001-01-01T00:00:00.000Z&limit=1",
            vec!["alice"],
            4,
        ),
    ] {
        let (mut found, counted) = list(query).await;
        // Those who signed up within a millisecond are in the order of their ids.
        if !query.contains("sortBy") && !query.contains("limit") {
            found.sort();
        }
        if !query.starts_with("filterField=createdAt") {
            assert_eq!(found, expected, "{query}");
        }
        assert_eq!(counted, total, "{query}");
    }
}

/// Users who never signed up: so many.
async fn users(test: &TestDatabase, engine: &Engine, emails: impl IntoIterator<Item = String>) {
    let storage = SqlStorage::new(test.db.clone());
    let table = engine.schema().table("user").unwrap();
    let now = housekey_engine::Clock::system().now();
    for (number, email) in emails.into_iter().enumerate() {
        let row = housekey_engine::Record::new()
            .with("id", format!("id{number:05}"))
            .with("name", format!("Person {:03}", number % 7))
            .with("email", email)
            .with("emailVerified", true)
            .with("createdAt", now)
            .with("updatedAt", now)
            .with("role", "user");
        housekey_engine::storage::Records::create(&storage, table, &row).await.unwrap();
    }
}

async fn listed(engine: &Engine, cookie: &str, query: &str) -> (Vec<String>, u64) {
    let request = Request::get(format!("/api/auth/admin/list-users?{query}")).header("cookie", cookie);
    let answer = engine.handle(request.body(Bytes::new()).unwrap()).await;
    assert_eq!(answer.status(), StatusCode::OK, "{query}: {:?}", answer.body());
    let answer = json_of(&answer);
    let emails = answer["users"].as_array().unwrap().iter();
    let emails = emails.map(|user| user["email"].as_str().unwrap().to_owned()).collect();
    (emails, answer["total"].as_u64().unwrap())
}

// spec: ADM-1
async fn a_page_far_behind_is_the_one_that_comes_then(test: TestDatabase) {
    let (here, _) = two_processes(test.clone()).await;
    let (alice, _) = person(&here, "alice").await;
    users(&test, &here, (0..1100).map(|number| format!("p{number:05}@example.com"))).await;
    for order in ["sortBy=name", "sortBy=name&sortDirection=desc", "sortBy=email", "sortDirection=desc"] {
        let (all, total) = listed(&here, &alice, &format!("{order}&limit=2000")).await;
        assert_eq!((all.len(), total), (1101, 1101), "{order}");
        let (page, total) = listed(&here, &alice, &format!("{order}&limit=50&offset=1025")).await;
        assert_eq!((page.as_slice(), total), (&all[1025..1075], 1101), "{order}");
        let (last, total) = listed(&here, &alice, &format!("{order}&limit=50&offset=1075")).await;
        assert_eq!((last.as_slice(), total), (&all[1075..], 1101), "{order}");
        let (beyond, total) = listed(&here, &alice, &format!("{order}&limit=50&offset=5000")).await;
        assert_eq!((beyond.len(), total), (0, 1101), "{order}: it is counted where the page tells nothing");
    }
}

// spec: ADM-1
async fn an_address_is_found_by_how_it_begins(test: TestDatabase) {
    let (here, _) = two_processes(test.clone()).await;
    let (alice, _) = person(&here, "alice").await;
    let some =
        ["ada@example.com", "ada.l@example.com", "a_a@example.com", "adb@example.com", "zoë@example.com"];
    users(&test, &here, some.map(str::to_owned)).await;
    for (search, expected) in [
        ("ada", vec!["ada.l@example.com", "ada@example.com"]),
        ("ADA.", vec!["ada.l@example.com"]),
        ("a_", vec!["a_a@example.com"]),
        ("a%25", vec![]),
        ("ZO%C3%8B", vec!["zoë@example.com"]),
        ("zz", vec![]),
        (
            "",
            vec![
                "a_a@example.com",
                "ada.l@example.com",
                "ada@example.com",
                "adb@example.com",
                "alice@example.com",
                "zoë@example.com",
            ],
        ),
    ] {
        let query = format!("searchOperator=starts_with&searchValue={search}");
        let (mut found, total) = listed(&here, &alice, &query).await;
        found.sort();
        assert_eq!(
            (found, total),
            (expected.iter().map(ToString::to_string).collect(), expected.len() as u64),
            "{search}"
        );
    }
}

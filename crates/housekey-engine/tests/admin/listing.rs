//! Users, listed, searched, filtered, sorted and paged.

use housekey_engine::Record;
use http::StatusCode;
use serde_json::{Value, json};

use crate::admin::{person, set, test_engine, with_role};
use crate::support::{Browser, TestEngine};

/// Alice, an admin, and some people.
async fn crowd() -> (TestEngine, Browser) {
    let test = test_engine();
    let alice = with_role(&test, "alice", "admin").await;
    for (name, called, role) in [
        ("bob", "Bob 100%", "user"),
        ("carol", "Carol_x", "author,user"),
        ("dave", "alice's brother", "user,author"),
        ("erin", "Erin", "coauthor"),
    ] {
        test.advance(1);
        person(&test, name).await;
        set(&test, name, Record::new().with("name", called).with("role", role)).await;
    }
    (test, alice)
}

async fn names(browser: &mut Browser, query: &str) -> Vec<String> {
    let answer = browser.get(&format!("/admin/list-users?{query}")).await.assert(StatusCode::OK).json();
    let users = answer["users"].as_array().unwrap();
    assert!(answer["total"].as_u64().unwrap() >= users.len() as u64);
    users.iter().map(|user| user["email"].as_str().unwrap().split('@').next().unwrap().to_owned()).collect()
}

#[tokio::test]
// spec: ADM-1
async fn users_are_searched_in_several_fields_and_taken_at_their_word() {
    let (_test, mut alice) = crowd().await;
    for (query, expected) in [
        ("", vec!["alice", "bob", "carol", "dave", "erin"]),
        ("searchValue=ALI", vec!["alice"]),
        ("searchValue=ali&searchField=name", vec!["dave"]),
        ("searchValue=ali&searchField=email,name", vec!["alice", "dave"]),
        ("searchValue=%25&searchField=name", vec!["bob"]),
        ("searchValue=_&searchField=name", vec!["carol"]),
        ("searchValue=b&searchOperator=starts_with", vec!["bob"]),
        ("searchValue=example.com&searchOperator=ends_with&limit=2", vec!["alice", "bob"]),
        ("searchValue=example&searchOperator=ends_with", vec![]),
    ] {
        assert_eq!(names(&mut alice, query).await, expected, "{query}");
    }
}

#[tokio::test]
// spec: ADM-1
async fn a_filter_knows_that_people_have_several_roles() {
    let (_test, mut alice) = crowd().await;
    for (query, expected) in [
        ("filterField=role&filterValue=author", vec!["carol", "dave"]),
        ("filterField=role&filterValue=admin", vec!["alice"]),
        ("filterField=role&filterOperator=in&filterValue=admin&filterValue=coauthor", vec!["alice", "erin"]),
        ("filterField=banned&filterValue=true", vec![]),
        ("filterField=email&filterOperator=ne&filterValue=bob@example.com&limit=2", vec!["alice", "carol"]),
        ("filterField=name&filterOperator=contains&filterValue=erin", vec!["erin"]),
        ("filterField=createdAt&filterOperator=lt&filterValue=2000-01-01T00:00:00.000Z", vec![]),
        (
            "filterField=email&filterOperator=not_in&filterValue=bob@example.com&searchValue=o",
            vec!["alice", "carol", "dave", "erin"],
        ),
    ] {
        assert_eq!(names(&mut alice, query).await, expected, "{query}");
    }
}

#[tokio::test]
// spec: ADM-1
async fn users_are_sorted_and_paged() {
    let (_test, mut alice) = crowd().await;
    assert_eq!(names(&mut alice, "sortBy=email&sortDirection=desc&limit=2").await, ["erin", "dave"]);
    assert_eq!(names(&mut alice, "sortBy=email&limit=2&offset=2").await, ["carol", "dave"]);
    assert_eq!(names(&mut alice, "limit=2&offset=4").await, ["erin"]);
    let page = alice.get("/admin/list-users?limit=2&offset=1").await.assert(StatusCode::OK).json();
    assert_eq!((&page["total"], &page["limit"], &page["offset"]), (&json!(5), &json!(2), &json!(1)));
    let whole = alice.get("/admin/list-users").await.assert(StatusCode::OK).json();
    assert_eq!((&whole["limit"], &whole["offset"]), (&Value::Null, &Value::Null));
}

#[tokio::test]
// spec: ADM-1
async fn what_there_is_not_is_said_and_not_an_empty_list() {
    let (_test, mut alice) = crowd().await;
    for query in [
        "filterField=nothing&filterValue=x",
        "sortBy=nothing",
        "sortBy=email%3Bdrop",
        "searchValue=x&searchField=role",
        "searchOperator=like",
        "filterValue=x&filterOperator=like",
        "filterField=banned&filterValue=perhaps",
        "filterField=banned&filterOperator=contains&filterValue=true",
        "filterField=createdAt&filterValue=yesterday",
        "sortDirection=up",
    ] {
        alice.get(&format!("/admin/list-users?{query}")).await.refused(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
// spec: ADM-1
async fn a_hidden_column_is_not_guessed_by_filters() {
    use housekey_engine::options::AdditionalField;
    let mut options = crate::admin::options();
    let field = AdditionalField { returned: false, ..AdditionalField::default() };
    options.user.additional_fields.insert("secretWord".into(), field);
    let test = crate::admin::built(options, Default::default());
    let body = json!({ "name": "A", "email": "alice@example.com", "password": crate::admin::PASSWORD, "secretWord": "sesame" });
    let mut alice = test.browser();
    alice.post("/sign-up/email", body).await.assert(StatusCode::OK);
    set(&test, "alice", Record::new().with("role", "admin")).await;
    for query in ["sortBy=secretWord", "filterField=secretWord&filterOperator=starts_with&filterValue=s"] {
        alice.get(&format!("/admin/list-users?{query}")).await.refused(400, "VALIDATION_ERROR");
    }
}

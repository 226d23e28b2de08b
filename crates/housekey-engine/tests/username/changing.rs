use housekey_engine::plugins::{AdminOptions, UsernameOptions, admin, username};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{ApiError, Callback, Engine, FieldsOrigin, Record, UserFields};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{PASSWORD, TestEngine, options};
use crate::username::{person, row, sign_in, test_engine, with};

#[tokio::test]
// spec: KEY-1
async fn a_name_can_be_changed_and_what_is_shown_with_it() {
    let test = test_engine();
    let mut ada = person(&test, "ada").await;
    ada.post("/update-user", json!({ "username": "Lovelace" })).await.assert(StatusCode::OK);
    let user = &ada.session().await["user"];
    assert_eq!((&user["username"], &user["displayUsername"]), (&json!("lovelace"), &json!("Lovelace")));
    sign_in(&mut test.browser(), "lovelace", PASSWORD).await.assert(StatusCode::OK);
    sign_in(&mut test.browser(), "ada", PASSWORD).await.refused(401, "INVALID_USERNAME_OR_PASSWORD");
}

#[tokio::test]
async fn another_s_name_is_refused_and_one_s_own_is_not() {
    let test = test_engine();
    let (mut ada, _) = (person(&test, "ada").await, person(&test, "bob").await);
    for (name, code) in [
        ("Bob", "USERNAME_IS_ALREADY_TAKEN"),
        ("a", "USERNAME_TOO_SHORT"),
        ("a b", "INVALID_USERNAME"),
        ("admin", "USERNAME_IS_ALREADY_TAKEN"),
    ] {
        ada.post("/update-user", json!({ "username": name })).await.refused(400, code);
    }
    ada.post("/update-user", json!({ "username": "ADA", "displayUsername": "ADA" }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(row(&test, "ada").await.text("username"), Some("ada"));
}

#[tokio::test]
async fn whoever_has_a_name_keeps_it_where_the_options_say_so() {
    let test = with(UsernameOptions { immutable_username: true, ..UsernameOptions::default() });
    let mut ada = person(&test, "ada").await;
    for name in [json!("other"), Value::Null] {
        ada.post("/update-user", json!({ "username": name })).await.refused(400, "USERNAME_IS_IMMUTABLE");
    }
    ada.post("/update-user", json!({ "username": "Ada" })).await.assert(StatusCode::OK);
    let mut nameless = test.browser();
    nameless.sign_up("bob@example.com").await.assert(StatusCode::OK);
    nameless.post("/update-user", json!({ "username": "bob" })).await.assert(StatusCode::OK);
    nameless.post("/update-user", json!({ "username": "bobby" })).await.refused(400, "USERNAME_IS_IMMUTABLE");
}

#[tokio::test]
async fn somebody_with_a_name_that_was_reserved_later_keeps_it() {
    let none = || UsernameOptions { reserved: Vec::new(), ..UsernameOptions::default() };
    let test = with(none());
    let before = person(&test, "support").await;
    let test = test.under(Engine::builder(options()).plugins([username(UsernameOptions::default())]));
    sign_in(&mut test.browser(), "support", PASSWORD).await.assert(StatusCode::OK);
    let mut now = test.browser();
    now.cookies = before.cookies;
    now.post("/update-user", json!({ "username": "Support", "name": "S" })).await.assert(StatusCode::OK);
    person(&test, "somebody")
        .await
        .post("/update-user", json!({ "username": "sup.port" }))
        .await
        .refused(400, "USERNAME_IS_ALREADY_TAKEN");
}

#[tokio::test]
async fn an_admin_is_held_to_the_same_rules() {
    let plugins = [username(UsernameOptions::default()), admin(AdminOptions::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let mut boss = person(&test, "ada").await;
    person(&test, "bob").await;
    let users = test.engine.schema().table("user").unwrap();
    let by = Filter::by("username", "ada");
    test.storage.update(users, &by, &Record::new().with("role", "admin")).await.unwrap();
    let id = row(&test, "bob").await.text("id").unwrap().to_owned();

    let change = |name: &str| json!({ "userId": id, "data": { "username": name } });
    boss.post("/admin/update-user", change("ADA")).await.refused(400, "USERNAME_IS_ALREADY_TAKEN");
    boss.post("/admin/update-user", change("x")).await.refused(400, "USERNAME_TOO_SHORT");
    boss.post("/admin/update-user", change("Bobby")).await.assert(StatusCode::OK);
    assert_eq!(row(&test, "bob").await.text("username"), Some("bobby"));
    let new =
        |name: &str| json!({ "email": "carl@example.com", "name": "Carl", "data": { "username": name } });
    boss.post("/admin/create-user", new("bobby")).await.refused(400, "USERNAME_IS_ALREADY_TAKEN");
    boss.post("/admin/create-user", new("Carl")).await.assert(StatusCode::OK);
    assert_eq!(row(&test, "carl").await.text("username"), Some("carl"));
}

#[tokio::test]
// spec: KEY-2
async fn what_is_shown_is_one_s_own_name() {
    let test = test_engine();
    let (mut ada, _) = (person(&test, "ada").await, person(&test, "bob").await);
    // Another's, a reserved one, one that looks like it, and one that nobody has yet.
    for shown in ["bob", "Bob", "admin", "\u{430}d\u{430}", "ada\u{200b}", "The Countess"] {
        let body = json!({ "displayUsername": shown });
        ada.post("/update-user", body).await.refused(400, "INVALID_DISPLAY_USERNAME");
        let body = json!({ "username": "ada", "displayUsername": shown });
        ada.post("/update-user", body).await.refused(400, "INVALID_DISPLAY_USERNAME");
    }
    ada.post("/update-user", json!({ "displayUsername": "AdA" })).await.assert(StatusCode::OK);
    assert_eq!(row(&test, "ada").await.text("displayUsername"), Some("AdA"));
    ada.post("/update-user", json!({ "username": null })).await.assert(StatusCode::OK);
    assert_eq!(row(&test, "ada").await.text("displayUsername"), None);
    ada.post("/update-user", json!({ "displayUsername": "ada" }))
        .await
        .refused(400, "INVALID_DISPLAY_USERNAME");
}

#[tokio::test]
async fn an_app_can_let_people_show_what_they_like() {
    let display_username_validator =
        Callback::new(|shown: String| async move { Ok::<_, ApiError>(shown != "bob") });
    let test = with(UsernameOptions { display_username_validator, ..UsernameOptions::default() });
    let mut ada = person(&test, "ada").await;
    ada.post("/update-user", json!({ "displayUsername": "bob" }))
        .await
        .refused(400, "INVALID_DISPLAY_USERNAME");
    ada.post("/update-user", json!({ "displayUsername": "The Countess" })).await.assert(StatusCode::OK);
    ada.post("/update-user", json!({ "username": "lovelace" })).await.assert(StatusCode::OK);
    assert_eq!(row(&test, "ada").await.text("displayUsername"), Some("The Countess"));
}

#[tokio::test]
async fn what_others_write_is_written_in_small_letters_too() {
    let test = test_engine();
    person(&test, "ada").await;
    let api = test.engine.api();
    let mut changes = api.changes();
    changes.update("user", Filter::all(), Record::new().with("username", "LOVELACE")).await.unwrap();
    let _ = changes.commit().await.unwrap();
    assert_eq!(row(&test, "ada").await.text("username"), Some("lovelace"));
    sign_in(&mut test.browser(), "Lovelace", PASSWORD).await.assert(StatusCode::OK);
}

/// A provider says what somebody is called there; nobody can be told to choose another name.
#[tokio::test]
async fn a_name_of_a_profile_that_is_not_free_is_left_out() {
    let test = test_engine();
    person(&test, "ada").await;
    for (name, kept) in [("Ada", None), ("admin", None), ("a b", None), ("Grace", Some("grace"))] {
        let asked = UserFields {
            user: None,
            email: "new@example.com".into(),
            fields: Record::new().with("username", name),
            origin: FieldsOrigin::Profile,
        };
        let fields = test.engine.api().check_user_fields(asked).await.unwrap();
        assert_eq!(fields.text("username"), kept, "{name}");
    }
}

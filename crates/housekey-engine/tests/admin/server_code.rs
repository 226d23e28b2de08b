//! What an app's own pages call: the endpoints as functions, and what only server code can do.

use housekey_engine::plugins::admin::{
    Ban, UserQuery, UserSearch, YOU_ARE_NOT_ALLOWED_TO_RESET_TWO_FACTOR,
    YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD, appoint_admin, ban_user, list_user_sessions, list_users,
    reset_two_factor, send_password_reset, user_factors,
};
use housekey_engine::plugins::{AdminOptions, admin, two_factor};
use housekey_engine::storage::Comparison;
use housekey_engine::{Api, Engine, Record, codes};
use http::StatusCode;

use crate::admin::{alice_and_bob, id, person, role, row, set, test_engine, with_role};
use crate::sink::Events;
use crate::support::{TestEngine, options};

/// Server code on behalf of somebody.
async fn as_somebody(test: &TestEngine, name: &str) -> Api {
    let mut api = test.engine.api();
    let user = api.user(&id(test, name).await).await.unwrap().unwrap();
    api.begin_session(user, None).await.unwrap();
    api
}

fn with_second_factor(events: &Events) -> TestEngine {
    let mut options = options();
    options.on_security_event = events.sink();
    TestEngine::new(
        Engine::builder(options).plugins([two_factor(Default::default()), admin(AdminOptions::default())]),
    )
}

async fn turn_on_second_factor(test: &TestEngine, name: &str) {
    let mut api = as_somebody(test, name).await;
    let user = api.user(&id(test, name).await).await.unwrap().unwrap();
    api.confirm_presence();
    two_factor::enable(&mut api, Default::default()).await.unwrap();
    let code = two_factor::totp_code(&api, &user).await.unwrap();
    let input = two_factor::VerifyCode { code, ..Default::default() };
    two_factor::verify_totp(&mut api, input).await.unwrap();
}

#[tokio::test]
// spec: ADM-1
async fn a_second_factor_that_was_lost_is_reset_by_an_admin_and_that_is_told() {
    let events = Events::default();
    let test = with_second_factor(&events);
    alice_and_bob(&test).await;
    turn_on_second_factor(&test, "bob").await;
    let bob = id(&test, "bob").await;
    let mut alice = as_somebody(&test, "alice").await;
    assert!(user_factors(&mut alice, &bob).await.unwrap().two_factor);
    events.take();

    reset_two_factor(&mut alice, &bob).await.unwrap();
    let admin = id(&test, "alice").await;
    assert_eq!(events.take(), [format!("two-factor-disabled {admin}")]);
    assert!(test.rows("twoFactor").await.is_empty());
    assert!(!user_factors(&mut alice, &bob).await.unwrap().two_factor);
    test.browser().sign_in("bob@example.com", crate::admin::PASSWORD).await.assert(StatusCode::OK);

    // Once more there is nothing to do.
    let again = reset_two_factor(&mut alice, &bob).await.unwrap_err();
    assert!(again.is(codes::TWO_FACTOR_NOT_ENABLED), "{again}");
    assert_eq!(reset_two_factor(&mut alice, "nobody").await.unwrap_err().status(), 404);
    assert!(events.take().iter().all(|event| !event.starts_with("two-factor-disabled")));
}

#[tokio::test]
// spec: ADM-1
async fn whoever_is_no_admin_resets_nothing() {
    let events = Events::default();
    let test = with_second_factor(&events);
    alice_and_bob(&test).await;
    turn_on_second_factor(&test, "alice").await;
    let alice = id(&test, "alice").await;
    let mut bob = as_somebody(&test, "bob").await;
    let refused = reset_two_factor(&mut bob, &alice).await.unwrap_err();
    assert!(refused.is(YOU_ARE_NOT_ALLOWED_TO_RESET_TWO_FACTOR), "{refused}");
    let refused = send_password_reset(&mut bob, &alice).await.unwrap_err();
    assert!(refused.is(YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD), "{refused}");
    assert_eq!(user_factors(&mut bob, &alice).await.unwrap_err().status(), 403);
    assert_eq!(list_users(&mut bob, &UserQuery::default()).await.unwrap_err().status(), 403);
    assert_eq!(list_user_sessions(&mut bob, &alice).await.unwrap_err().status(), 403);
    assert_eq!(ban_user(&mut bob, &alice, Ban::default()).await.unwrap_err().status(), 403);
    assert_eq!(test.rows("twoFactor").await.len(), 1);
    // And nobody at all is asked who they are.
    let mut guest = test.engine.api();
    assert_eq!(reset_two_factor(&mut guest, &alice).await.unwrap_err().status(), 401);
}

#[tokio::test]
// spec: ADM-1
async fn a_link_to_a_new_password_is_sent_on_behalf_of_an_admin() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.on_security_event = events.sink();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        Engine::builder(options).plugins([admin(AdminOptions::default())])
    });
    alice_and_bob(&test).await;
    let bob = id(&test, "bob").await;
    let mut alice = as_somebody(&test, "alice").await;
    events.take();
    send_password_reset(&mut alice, &bob).await.unwrap();
    let admin = id(&test, "alice").await;
    assert_eq!(events.take(), [format!("password-reset-sent {admin}"), "password-reset-asked".into()]);
    let mails = test.mailbox.all();
    assert_eq!((mails.last().unwrap().kind, &*mails.last().unwrap().to), ("reset", "bob@example.com"));
}

#[tokio::test]
// spec: ADM-1
async fn a_search_looks_into_several_fields_and_takes_letters_as_they_are() {
    let test = test_engine();
    alice_and_bob(&test).await;
    person(&test, "carol").await;
    set(&test, "carol", Record::new().with("name", "Bobby 100%")).await;
    let mut alice = as_somebody(&test, "alice").await;
    let mut found = async |text: &str| {
        let search = UserSearch {
            text: text.into(),
            fields: vec!["email".into(), "name".into()],
            comparison: Comparison::Contains,
        };
        let query = UserQuery { search: Some(search), sort_by: Some("email".into()), ..Default::default() };
        let users = list_users(&mut alice, &query).await.unwrap();
        users.into_iter().map(|user| user.email).collect::<Vec<_>>()
    };
    assert_eq!(found("BOB").await, ["bob@example.com", "carol@example.com"]);
    assert_eq!(found("100%").await, ["carol@example.com"]);
    assert!(found("b%b").await.is_empty());
}

#[tokio::test]
// spec: ADM-2
async fn the_first_admin_is_appointed_by_server_code_and_that_is_told() {
    let events = Events::default();
    let test = with_second_factor(&events);
    person(&test, "alice").await;
    let alice = id(&test, "alice").await;
    events.take();
    let api = test.engine.api();
    appoint_admin(&api, &alice, "console").await.unwrap();
    assert_eq!(role(&test, "alice").await.as_deref(), Some("admin,user"));
    assert_eq!(events.take(), ["role-changed console user admin,user"]);
    // Twice changes nothing, and nobody is made nobody.
    appoint_admin(&api, &alice, "console").await.unwrap();
    assert_eq!(role(&test, "alice").await.as_deref(), Some("admin,user"));
    assert!(events.take().is_empty());
    assert_eq!(appoint_admin(&api, "nobody", "console").await.unwrap_err().status(), 404);
}

#[tokio::test]
// spec: ADM-1
async fn a_role_that_may_change_people_takes_no_second_factor_away() {
    use housekey_engine::access::{AccessControl, Statements};

    let access = AccessControl::new(AdminOptions::statements())
        .role("admin", AdminOptions::admin_statements())
        .unwrap()
        .role("support", Statements::new().with("user", ["list", "get", "update"]))
        .unwrap();
    let test = crate::admin::with(AdminOptions { access: Some(access), ..Default::default() });
    with_role(&test, "sam", "support").await;
    person(&test, "bob").await;
    set(&test, "bob", Record::new().with("banned", false)).await;
    let bob = id(&test, "bob").await;
    let mut sam = as_somebody(&test, "sam").await;
    let refused = reset_two_factor(&mut sam, &bob).await.unwrap_err();
    assert!(refused.is(YOU_ARE_NOT_ALLOWED_TO_RESET_TWO_FACTOR), "{refused}");
    assert_eq!(send_password_reset(&mut sam, &bob).await.unwrap_err().status(), 403);
    assert!(row(&test, "bob").await.is_some());
}

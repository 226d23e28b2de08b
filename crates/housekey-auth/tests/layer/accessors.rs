use housekey_auth::{CurrentUser, require_user, session, user, user_of, when_auth, when_guest};
use housekey_core::Result;
use housekey_http::Routes;
use housekey_http::websocket::{Message, SocketContext, WebSocket, WebSocketUpgrade};
use housekey_testing::TestApp;
use housekey_view::prelude::*;

use crate::support::{first_socket_message, sign_up, test_app};

fn routes(route: &mut Routes) {
    route.get("/who", async || user().map_or_else(|| "nobody".to_owned(), |user| user.email.clone()));
    route.get("/session", async || {
        session().map_or_else(|| "none".to_owned(), |session| session.user_id.clone())
    });
    route.get("/required", async || -> Result<String> { Ok(require_user()?.email.clone()) });
    route.get("/typed", async |CurrentUser(user): CurrentUser| user.email.clone());
    route.get("/maybe", async |user: Option<CurrentUser>| user.is_some().to_string());
    route.get("/page", async || {
        view(rsx! {
            (when_auth(|user| rsx! { <b>(user.name)</b> }))
            (when_guest(|| rsx! { <i>"guest"</i> }))
        })
    });
    route.get("/slow", async || {
        let before = user().map(|user| user.email.clone());
        for _ in 0..20 {
            tokio::task::yield_now().await;
            assert_eq!(user().map(|user| user.email.clone()), before);
        }
        before.unwrap_or_default()
    });
    route.get("/socket", async |upgrade: WebSocketUpgrade| {
        upgrade.on_upgrade(async |mut socket: WebSocket, context: SocketContext| {
            let name = user_of(&context).map_or_else(|| "nobody".to_owned(), |user| user.email.clone());
            let ambient = user().is_some();
            let _ = socket.send(Message::text(format!("{name} {ambient}"))).await;
        })
    });
}

// spec: USR-1
#[tokio::test]
async fn the_accessors_know_who_is_signed_in_and_a_guest_is_nobody() {
    let app = test_app(|_| (), routes).await;
    app.get("/who").await.assert_see("nobody");
    app.get("/session").await.assert_see("none");
    app.get("/required").accept_json().await.assert_status(401);
    app.get("/typed").accept_json().await.assert_status(401);
    app.get("/maybe").await.assert_see("false");

    sign_up(&app, "ada@example.com").await;
    app.get("/who").await.assert_see("ada@example.com");
    app.get("/required").await.assert_see("ada@example.com");
    app.get("/typed").await.assert_see("ada@example.com");
    app.get("/maybe").await.assert_see("true");
    app.get("/session").await.assert_dont_see("none");
    app.visitor().get("/who").await.assert_see("nobody");
    assert!(user().is_none(), "outside a request there is nobody");
    app.within(async { assert!(user().is_none()) }).await;
}

// spec: USR-2, SVC-2
#[tokio::test]
async fn views_draw_for_members_and_for_guests() {
    let app = test_app(|_| (), routes).await;
    app.get("/page").await.assert_see("<i>guest</i>");
    sign_up(&app, "ada@example.com").await;
    app.get("/page").await.assert_see("<b>ada</b>").assert_dont_see("guest");
}

// spec: USR-1
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_hundred_requests_of_twenty_people_never_see_each_other() {
    let app = test_app(|_| (), routes).await;
    let mut people: Vec<(String, TestApp)> = Vec::new();
    for number in 0..20 {
        let (visitor, email) = (app.visitor(), format!("person{number}@example.com"));
        sign_up(&visitor, &email).await;
        people.push((email, visitor));
    }
    let requests = (0..200).map(|number| {
        let (email, visitor) = people[number % people.len()].clone();
        tokio::spawn(async move {
            let answer = visitor.get("/slow").await;
            assert_eq!(answer.text(), email);
        })
    });
    for request in requests.collect::<Vec<_>>() {
        request.await.unwrap();
    }
}

// spec: USR-1
#[tokio::test]
async fn a_socket_knows_who_opened_it_and_has_no_ambient_request() {
    let app = test_app(|_| (), routes).await;
    sign_up(&app, "ada@example.com").await;
    let cookie = app.cookie("better-auth.session_token").unwrap();
    let server = app.serve().await;
    let cookies = format!("better-auth.session_token={cookie}");
    let hello = first_socket_message(server.address(), "/socket", &cookies).await;
    assert_eq!(hello, "ada@example.com false");
    let hello = first_socket_message(server.address(), "/socket", "a=b").await;
    assert_eq!(hello, "nobody false");
}

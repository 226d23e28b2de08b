//! Everything that is done to somebody is told.

use http::StatusCode;
use serde_json::json;

use crate::admin::{alice_and_bob, built, does, id, signs_in};
use crate::sink::Events;
use crate::support::options;

#[tokio::test]
// spec: ADM-2
async fn everything_that_is_done_to_somebody_is_an_event_about_them() {
    let events = Events::default();
    let mut told = options();
    told.on_security_event = events.sink();
    let test = built(told, Default::default());
    let (mut alice, _) = alice_and_bob(&test).await;
    let (admin, bob) = (id(&test, "alice").await, id(&test, "bob").await);
    events.take();
    for (what, more, expected) in [
        ("set-role", json!({ "role": "author" }), format!("role-changed {admin} user author")),
        ("update-user", json!({ "data": { "name": "Bo" } }), format!("user-updated {admin} name")),
        (
            "set-user-password",
            json!({ "newPassword": crate::admin::PASSWORD }),
            format!("password-set-by-admin {admin}"),
        ),
        ("revoke-user-sessions", json!({}), format!("sessions-revoked all {admin}")),
        ("ban-user", json!({}), format!("user-banned {admin} yes")),
        ("unban-user", json!({}), format!("user-unbanned {admin}")),
    ] {
        does(&mut alice, &test, what, "bob", more).await.assert(StatusCode::OK);
        assert!(
            events.all().iter().all(|event| event.user_id.as_deref() == Some(&bob)),
            "{:?}",
            events.all()
        );
        assert_eq!(events.take(), [expected], "{what}");
    }
    does(&mut alice, &test, "ban-user", "bob", json!({})).await.assert(StatusCode::OK);
    signs_in(&test, "bob").await.refused(403, "BANNED_USER");
    assert_eq!(events.take().last().unwrap(), "sign-in-refused password banned");
    does(&mut alice, &test, "unban-user", "bob", json!({})).await.assert(StatusCode::OK);
    events.take();

    does(&mut alice, &test, "impersonate-user", "bob", json!({})).await.assert(StatusCode::OK);
    let begun = events.all();
    assert_eq!((begun[0].kind.name(), begun[0].detail.text("by")), ("impersonation-started", Some(&*admin)));
    events.take();
    // What the admin does as him says whose doing it is.
    alice.post("/revoke-sessions", json!({})).await.assert(StatusCode::OK);
    let done = events.all();
    assert!(done.iter().all(|event| event.detail.text("impersonatedBy") == Some(&admin)), "{done:?}");
}

#[tokio::test]
// spec: ADM-2
async fn the_way_back_and_the_end_of_an_account_are_told() {
    let events = Events::default();
    let mut told = options();
    told.on_security_event = events.sink();
    let test = built(told, Default::default());
    let (mut alice, _) = alice_and_bob(&test).await;
    let admin = id(&test, "alice").await;
    does(&mut alice, &test, "impersonate-user", "bob", json!({})).await.assert(StatusCode::OK);
    events.take();
    alice.post("/admin/stop-impersonating", json!({})).await.assert(StatusCode::OK);
    assert_eq!(events.take(), [format!("impersonation-stopped {admin} {admin}")]);
    does(&mut alice, &test, "remove-user", "bob", json!({})).await.assert(StatusCode::OK);
    assert_eq!(events.take(), [format!("account-deleted {admin}")]);
    let body = json!({ "email": "eve@example.com", "name": "Eve" });
    alice.post("/admin/create-user", body).await.assert(StatusCode::OK);
    assert_eq!(events.take(), [format!("user-created {admin} user")]);
}

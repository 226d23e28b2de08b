//! What happens in an organisation is told, with who did it.

use http::StatusCode;
use serde_json::json;

use crate::organization::{accepts, ada_and_acme, built, does, email, member_id, options, person, user_id};
use crate::sink::Events;

#[tokio::test]
// spec: SEC-9
async fn what_happens_in_an_organisation_is_an_event() {
    let events = Events::default();
    let mut told = options();
    told.on_security_event = events.sink();
    let test = built(told, Default::default());
    let (mut ada, acme) = ada_and_acme(&test).await;
    let (owner, mut bob) = (user_id(&test, "ada").await, person(&test, "bob").await);
    assert!(events.take().contains(&format!("organization-created {acme}")));
    accepts(&mut ada, &mut bob, "bob", "member").await;
    assert_eq!(
        events.take(),
        [format!("invitation-sent {acme} member"), format!("invitation-accepted {acme} member {owner}")]
    );
    let own = member_id(&test, &acme, "bob").await;
    does(&mut ada, "update-member-role", json!({ "memberId": own, "role": "admin" }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(events.take(), [format!("member-role-changed {acme} {owner} member admin")]);
    does(&mut ada, "remove-member", json!({ "memberIdOrEmail": email("bob") })).await.assert(StatusCode::OK);
    let bob_id = user_id(&test, "bob").await;
    assert!(events.all().iter().all(|event| event.user_id.as_deref() == Some(&bob_id)));
    assert_eq!(events.take(), [format!("member-removed {acme} {owner}")]);
    accepts(&mut ada, &mut bob, "bob", "member").await;
    events.take();
    does(&mut bob, "leave", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(events.take(), [format!("member-removed {acme}")]);
    does(&mut ada, "delete", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(events.take(), [format!("organization-deleted {acme}")]);
}

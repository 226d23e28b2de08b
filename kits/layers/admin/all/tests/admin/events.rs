//! What happened.

use housekey::testing::TestApp;

use crate::support::{admin, somebody};

// spec: ADM-1, SEC-9
#[housekey::test]
async fn events_are_found_by_account_and_by_kind(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let (bob, eve) = (somebody(&app, "Bob").await, somebody(&app, "Eve").await);
    visitor
        .post(&format!("/admin/users/{}/ban", bob.id))
        .form(&[("reason", "spam")])
        .await
        .assert_status(303);
    let all = visitor.get("/admin/events").await;
    all.assert_ok().assert_see("An admin closed the account").assert_see(&bob.email).assert_see(&alice.email);
    let his = visitor.get(&format!("/admin/events?user={}", bob.email)).await;
    his.assert_see("user-banned").assert_dont_see(&eve.email);
    visitor
        .get(&format!("/admin/events?user={}", eve.id))
        .await
        .assert_see("Nothing of that kind has happened.");
    visitor
        .get("/admin/events?user=nobody@example.com")
        .await
        .assert_see("Nothing of that kind has happened.");
    let kind = visitor.get("/admin/events?kind=user-unbanned").await;
    kind.assert_see("Nothing of that kind has happened.");
    visitor.get("/admin/events?page=4294967295").await.assert_ok();
}

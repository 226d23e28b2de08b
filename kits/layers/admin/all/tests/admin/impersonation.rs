//! Acting as somebody else.

use std::time::Duration;

use housekey::testing::TestApp;

use crate::support::{admin, confirm, signed_in_as, somebody, told};

// spec: ADM-2
#[housekey::test]
async fn it_is_seen_it_is_told_and_there_is_a_way_back(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    visitor.get("/").await.assert_dont_see("/impersonation/stop");
    let start = format!("/admin/users/{}/impersonate", bob.id);
    visitor.post(&start).await.assert_status(303).assert_redirect("/dashboard");
    assert_eq!(signed_in_as(&visitor).await, Some(bob.email.clone()));
    assert_eq!(told(&app, &bob).await[0], ("impersonation-started".into(), Some(alice.id.clone())));
    visitor.get("/").await.assert_see("/impersonation/stop").assert_see(&bob.email);
    visitor.get("/nowhere/at/all").await;

    let back = visitor.post("/impersonation/stop").await;
    back.assert_status(303).assert_redirect(&format!("/admin/users/{}", bob.id));
    assert_eq!(signed_in_as(&visitor).await, Some(alice.email.clone()));
    assert_eq!(told(&app, &bob).await[0], ("impersonation-stopped".into(), Some(alice.id)));
    visitor.get("/").await.assert_dont_see("/impersonation/stop");
}

// spec: ADM-2
#[housekey::test]
async fn it_ends_by_itself(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    visitor.post(&format!("/admin/users/{}/impersonate", bob.id)).await.assert_status(303);
    app.advance(Duration::from_secs(3601));
    assert_ne!(signed_in_as(&visitor).await, Some(bob.email));
}

// spec: ADM-2
#[housekey::test]
async fn whoever_signs_out_meanwhile_is_gone_as_themselves_too(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    visitor.post(&format!("/admin/users/{}/impersonate", bob.id)).await.assert_status(303);
    visitor.post("/sign-out").await.assert_status(303);
    assert_eq!(signed_in_as(&visitor).await, None);
    assert!(crate::support::sessions_of(&app, &alice).await.is_empty());
    visitor.post("/impersonation/stop").await;
    assert_eq!(signed_in_as(&visitor).await, None);
}

// spec: ADM-2
#[housekey::test]
async fn nobody_goes_back_who_never_went(app: TestApp) {
    let bob = somebody(&app, "Bob").await;
    let visitor = app.signed_in(&bob).await;
    visitor.post("/impersonation/stop").await.assert_status(400);
    assert_eq!(signed_in_as(&visitor).await, Some(bob.email));
    app.visitor().post("/impersonation/stop").await.assert_redirect(&app.route("sign-in"));
}

// spec: ADM-2
#[housekey::test]
async fn the_password_of_the_admin_confirms_nothing_for_the_other(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    confirm(&visitor).await;
    let bob = somebody(&app, "Bob").await;
    visitor.post(&format!("/admin/users/{}/impersonate", bob.id)).await.assert_status(303);
    visitor.delete("/settings/account").accept_json().await.assert_status(423);
}

//! What is done to somebody.

use housekey::database::record;
use housekey::testing::{TestApp, both};

use crate::support::{
    PASSWORD, admin, appointed, column, confirm, sessions_of, signed_in_as, somebody, told,
};

use {{crate}}::factories::UserFactory;

// spec: ADM-1
#[housekey::test]
async fn an_account_is_closed_with_a_reason_and_an_end_and_opened_again(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    let his = app.signed_in(&bob).await;
    let page = format!("/admin/users/{}", bob.id);

    // Without a reason nothing happens, and the page says why.
    let refused =
        visitor.post(&format!("{page}/ban")).form(&[("reason", ""), ("days", "0")]).referer(&page).await;
    refused.assert_status(303).assert_redirect(&page);
    assert_eq!(signed_in_as(&his).await, Some(bob.email.clone()));

    let form = [("reason", "sold <b>spam</b>"), ("days", "7")];
    visitor.post(&format!("{page}/ban")).form(&form).await.assert_status(303).assert_redirect(&page);
    assert_eq!(signed_in_as(&his).await, None);
    let shown = visitor.get(&page).await;
    shown.assert_see("sold &lt;b&gt;spam").assert_see("closed until").assert_see("Open the account again");
    let door = [("email", bob.email.as_str()), ("password", PASSWORD)];
    app.visitor().post("/sign-in").form(&door).await;
    assert_eq!(told(&app, &bob).await[1], ("user-banned".into(), Some(alice.id.clone())));

    visitor.delete(&format!("{page}/ban")).await.assert_status(303);
    let his = app.visitor();
    his.post("/sign-in").form(&door).await;
    assert_eq!(signed_in_as(&his).await, Some(bob.email));
}

// spec: ADM-1
#[housekey::test]
async fn sessions_are_ended_one_by_one_or_all_at_once(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let (bob, eve) = (somebody(&app, "Bob").await, somebody(&app, "Eve").await);
    let (one, two, hers) = (app.signed_in(&bob).await, app.signed_in(&bob).await, app.signed_in(&eve).await);
    let page = format!("/admin/users/{}/sessions", bob.id);
    let foreign = sessions_of(&app, &eve).await.remove(0);
    visitor.delete(&format!("{page}/{foreign}")).await.assert_not_found();
    let first = sessions_of(&app, &bob).await.remove(0);
    visitor.delete(&format!("{page}/{first}")).await.assert_status(303);
    let left = [signed_in_as(&one).await, signed_in_as(&two).await];
    assert_eq!(left.iter().flatten().count(), 1);
    assert_eq!(told(&app, &bob).await[0], ("session-revoked".into(), Some(alice.id.clone())));
    visitor.delete(&page).await.assert_status(303);
    assert_eq!((signed_in_as(&one).await, signed_in_as(&two).await), (None, None));
    assert_eq!(told(&app, &bob).await[0], ("sessions-revoked".into(), Some(alice.id)));
    assert!(signed_in_as(&hers).await.is_some());
}

// spec: ADM-1
#[housekey::test]
async fn a_lost_second_factor_is_reset_and_a_link_is_sent(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let columns = record! { "name" => "Bob" };
    let (bob, _) = app.within(UserFactory::create_with_two_factor(columns)).await.unwrap();
    let page = format!("/admin/users/{}", bob.id);
    visitor.get(&page).await.assert_see("Reset the second factor");
    visitor.delete(&format!("{page}/two-factor")).await.assert_status(303);
    assert_eq!(told(&app, &bob).await[0], ("two-factor-disabled".into(), Some(alice.id.clone())));
    visitor.get(&page).await.assert_dont_see("Reset the second factor");
    // Once more, there is none.
    let again = visitor.delete(&format!("{page}/two-factor")).accept_json().await;
    again.assert_status(422).assert_invalid("user");

    let mails = app.services().require::<housekey::mail::Mailer>().unwrap().fake();
    visitor.post(&format!("{page}/password-reset")).await.assert_status(303);
    assert!(mails.link_to(&bob.email).contains("reset-password"));
    let told = told(&app, &bob).await;
    assert!(told.contains(&("password-reset-sent".into(), Some(alice.id))), "{told:?}");
}

// spec: ADM-2
#[housekey::test]
async fn one_admin_always_stays(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let own = format!("/admin/users/{}", alice.id);
    let refused =
        visitor.put(&format!("{own}/role")).json(&housekey::serde_json::json!({ "admin": false })).await;
    refused.assert_status(422).assert_see("last admin");
    visitor.post(&format!("{own}/ban")).form(&[("reason", "x")]).accept_json().await.assert_status(422);
    visitor.delete(&own).accept_json().await.assert_status(422);
    assert_eq!(column(&app, &alice, "role").await.as_deref(), Some("admin,user"));

    // Two take each other's role away at the same moment: one of them stays.
    let carol = appointed(&app, "Carol").await;
    let hers = app.signed_in(&carol).await;
    confirm(&hers).await;
    let take =
        |visitor: &TestApp, id: &str| visitor.put(&format!("/admin/users/{id}/role")).form(&[("admin", "")]);
    both(take(&visitor, &carol.id), take(&hers, &alice.id)).await;
    let roles = [column(&app, &alice, "role").await, column(&app, &carol, "role").await];
    let left = roles.iter().flatten().filter(|role| role.contains("admin")).count();
    assert_eq!(left, 1, "{roles:?}");
}

// spec: ADM-1
#[housekey::test]
async fn an_admin_is_made_by_an_admin_and_an_account_deleted(app: TestApp) {
    let (alice, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    let page = format!("/admin/users/{}", bob.id);
    visitor.put(&format!("{page}/role")).form(&[("admin", "1")]).await.assert_status(303);
    assert_eq!(column(&app, &bob, "role").await.as_deref(), Some("admin,user"));
    assert_eq!(told(&app, &bob).await[0], ("role-changed".into(), Some(alice.id.clone())));
    // Nobody acts as another admin.
    visitor.get(&page).await.assert_dont_see("/impersonate");
    visitor.post(&format!("{page}/impersonate")).accept_json().await.assert_status(422);
    assert_eq!(signed_in_as(&visitor).await, Some(alice.email.clone()));
    visitor.put(&format!("{page}/role")).form(&[("admin", "")]).await.assert_status(303);
    assert_eq!(column(&app, &bob, "role").await.as_deref(), Some("user"));

    visitor.delete(&page).await.assert_status(303).assert_redirect("/admin/users");
    visitor.get(&page).await.assert_not_found();
    assert_eq!(told(&app, &bob).await[0], ("account-deleted".into(), Some(alice.id)));
}

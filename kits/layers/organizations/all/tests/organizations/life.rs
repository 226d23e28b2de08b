//! Creating, choosing, renaming, leaving and deleting an organisation.

use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, both};

use crate::support::{active, create, member_of, owner_of, role_of, rows, somebody, sure_of};

// spec: ORG-1, ORG-3
#[housekey::test]
async fn whoever_creates_an_organisation_owns_it_and_works_in_it(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    assert_eq!(active(&visitor).await, None);
    let id = create(&app, &visitor, "Analytical Engines", "engines").await;
    assert_eq!(active(&visitor).await, Some(id.clone()));
    assert_eq!(role_of(&app, &id, &ada).await.as_deref(), Some("owner"));

    // And is there again after the next sign-in.
    assert_eq!(active(&app.signed_in(&ada).await).await, Some(id));
}

#[housekey::test]
async fn without_a_short_name_one_is_made_from_the_name_that_nobody_has(app: TestApp) {
    let visitor = app.signed_in(&somebody(&app).await).await;
    for _ in 0..3 {
        visitor.post("/organizations").json(&json!({ "name": "Käse & Söhne" })).await.assert_ok();
    }
    let form = visitor.post("/organizations").form(&[("name", "Käse & Söhne"), ("slug", "")]).await;
    form.assert_status(303).assert_redirect(&app.route("settings.organization.invitations"));
    let slugs: Vec<String> =
        app.within(async { db()?.table("organization").order_by("slug").pluck("slug").await }).await.unwrap();
    assert_eq!(slugs, ["kaese-soehne", "kaese-soehne-2", "kaese-soehne-3", "kaese-soehne-4"]);
}

// spec: ERR-1
#[housekey::test]
async fn a_name_that_is_none_and_a_short_name_that_is_taken_are_refused_at_their_fields(app: TestApp) {
    let visitor = app.signed_in(&somebody(&app).await).await;
    create(&app, &visitor, "First", "first").await;
    for bad in [json!({}), json!({ "name": "" }), json!({ "name": "x".repeat(121) })] {
        visitor.post("/organizations").json(&bad).await.assert_status(422).assert_invalid("name");
    }
    for bad in ["First", "a b", "-a", "a--b", "../etc", "first", &"x".repeat(49)] {
        let form = json!({ "name": "Second", "slug": bad });
        visitor.post("/organizations").json(&form).await.assert_status(422).assert_invalid("slug");
        let form = json!({ "name": "First", "slug": bad });
        if bad != "first" {
            let changed = visitor.patch("/settings/organization").json(&form).await;
            changed.assert_status(422).assert_invalid("slug");
        }
    }
    assert_eq!(rows(&app, "organization").await, 1);
}

// spec: ORG-2
#[housekey::test]
async fn of_two_who_want_the_same_short_name_one_gets_it(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let (ada, eve) = (app.signed_in(&ada).await, app.signed_in(&eve).await);
    ada.csrf_token().await;
    eve.csrf_token().await;
    let form = json!({ "name": "Same", "slug": "same" });
    let send = async |visitor: &TestApp| visitor.post("/organizations").json(&form).await;
    let (first, second) = both(send(&ada), send(&eve)).await;
    let mut statuses = [first.status().as_u16(), second.status().as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422], "{} / {}", first.text(), second.text());
    assert_eq!(rows(&app, "organization").await, 1);
}

// spec: ORG-3
#[housekey::test]
async fn who_is_in_two_switches_between_them(app: TestApp) {
    let visitor = app.signed_in(&somebody(&app).await).await;
    let first = create(&app, &visitor, "First", "first").await;
    let second = create(&app, &visitor, "Second", "second").await;
    assert_eq!(active(&visitor).await, Some(second));
    let form = visitor.post("/organizations/switch").form(&[("organization", first.as_str())]).await;
    form.assert_status(303).assert_redirect(&app.route("dashboard"));
    assert_eq!(active(&visitor).await, Some(first));
}

// spec: MID-1, ORG-4
#[housekey::test]
async fn who_is_in_none_changes_nothing_and_is_told_so(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    let refused =
        visitor.patch("/settings/organization").json(&json!({ "name": "Mine", "slug": "mine" })).await;
    refused.assert_status(403).assert_json_path("code", "NO_ACTIVE_ORGANIZATION");
    let form = visitor.post("/settings/organization/leave").form(&[("a", "b")]).await;
    form.assert_redirect("/organizations");
    app.visitor().post("/organizations").json(&json!({ "name": "Mine" })).await.assert_status(401);
}

// spec: ORG-1
#[housekey::test]
async fn owners_and_admins_rename_and_members_do_not(app: TestApp) {
    let (_, owner, id) = owner_of(&app, "engines").await;
    let (_, admin) = member_of(&app, &owner, "admin").await;
    let (_, member) = member_of(&app, &owner, "member").await;
    let form = json!({ "name": "Difference Engines", "slug": "difference" });
    member.patch("/settings/organization").json(&form).await.assert_status(422).assert_invalid("slug");
    admin.patch("/settings/organization").json(&form).await.assert_ok();
    let name: Option<String> = app
        .within(async { db()?.table("organization").where_eq("id", id.as_str()).value("name").await })
        .await
        .unwrap();
    assert_eq!(name.as_deref(), Some("Difference Engines"));
}

// spec: ORG-1, ORG-3, SEC-1
#[housekey::test]
async fn only_an_owner_deletes_and_only_with_the_password(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let (_, admin) = member_of(&app, &owner, "admin").await;
    admin.delete("/settings/organization").json(&json!({})).await.assert_status(422);
    let unsure = app.signed_in(&ada).await;
    unsure.delete("/settings/organization").json(&json!({})).await.assert_status(423);
    assert_eq!(rows(&app, "organization").await, 1);

    let gone = owner.post("/settings/organization").form(&[("_method", "DELETE")]).await;
    gone.assert_status(303).assert_redirect(&app.route("organizations"));
    for table in ["organization", "member", "invitation"] {
        assert_eq!(rows(&app, table).await, 0, "{table}");
    }
    // Nobody is in it any more, in no session.
    assert_eq!(active(&owner).await, None);
    assert_eq!(active(&admin).await, None);
    let refused = admin.patch("/settings/organization").json(&json!({ "name": "x", "slug": "x" })).await;
    refused.assert_status(403).assert_json_path("code", "NO_ACTIVE_ORGANIZATION");
    assert_ne!(id, "");
}

// spec: ORG-2
#[housekey::test]
async fn the_only_owner_stays_and_anybody_else_may_leave(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let (eve, member) = member_of(&app, &owner, "member").await;
    let refused = owner.post("/settings/organization/leave").json(&json!({})).await;
    refused.assert_status(422).assert_invalid("organization");
    assert!(refused.text().contains("Make somebody else an owner first."), "{}", refused.text());
    assert_eq!(role_of(&app, &id, &ada).await.as_deref(), Some("owner"));

    let left = member.post("/settings/organization/leave").form(&[("leave_understood", "1")]).await;
    left.assert_status(303).assert_redirect(&app.route("organizations"));
    assert_eq!(role_of(&app, &id, &eve).await, None);
    assert_eq!(active(&member).await, None);
}

// spec: ORG-2
#[housekey::test]
async fn of_two_owners_who_leave_at_once_one_stays(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let (eve, second) = member_of(&app, &owner, "owner").await;
    owner.csrf_token().await;
    second.csrf_token().await;
    let leave = async |visitor: &TestApp| visitor.post("/settings/organization/leave").json(&json!({})).await;
    let (first, other) = both(leave(&owner), leave(&second)).await;
    let mut statuses = [first.status().as_u16(), other.status().as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 422], "{} / {}", first.text(), other.text());
    let left = [role_of(&app, &id, &ada).await, role_of(&app, &id, &eve).await];
    assert_eq!(left.iter().flatten().count(), 1);
}

// spec: ORG-2
#[housekey::test]
async fn the_only_owner_of_others_organisation_does_not_delete_their_account(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    member_of(&app, &owner, "member").await;
    let refused = owner.delete("/settings/account").json(&json!({})).await;
    refused.assert_status(422).assert_invalid("account");
    assert_eq!(role_of(&app, &id, &ada).await.as_deref(), Some("owner"));
}

#[housekey::test]
async fn a_copy_of_what_is_kept_names_the_organisations(app: TestApp) {
    let (_, owner, _) = owner_of(&app, "engines").await;
    let copy: Value = owner.get("/settings/account/data").await.json();
    assert_eq!(copy["organizations"], json!(["engines"]));
    let history = copy["history"].as_array().unwrap();
    assert!(history.iter().any(|event| event["what"] == "An organization was created"), "{copy}");
}

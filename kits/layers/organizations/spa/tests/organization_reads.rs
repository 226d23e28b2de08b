//! What the pages about organisations ask for, and the documents they are in.

use std::time::Duration;

use housekey::database::Factory;
use housekey::mail::Mailer;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

const OWN: [&str; 3] = ["", "/members", "/invitations"];

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// Somebody who is signed in and has confirmed their password.
async fn sure(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    let password = json!({ "password": UserFactory::PASSWORD });
    visitor.post("/confirm-password").json(&password).await.assert_ok();
    visitor
}

/// The owner of a new organisation.
async fn owner(app: &TestApp, name: &str) -> TestApp {
    let visitor = sure(app, &somebody(app).await).await;
    visitor.post("/organizations").json(&json!({ "name": name })).await.assert_ok();
    visitor
}

/// Invites somebody, and returns the id of the invitation and what only the mail carries.
async fn invite(app: &TestApp, owner: &TestApp, email: &str, role: &str) -> (String, String) {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let form = json!({ "emails": email, "role": role });
    owner.post("/settings/organization/invitations").json(&form).await.assert_ok();
    let link = mails.link_to(email);
    let (path, token) = link.split_once("?token=").expect("the mail carries a proof");
    (path.rsplit('/').next().unwrap().to_owned(), token.to_owned())
}

/// Somebody who was invited and has accepted.
async fn member(app: &TestApp, owner: &TestApp, role: &str) -> (User, TestApp) {
    // Lists begin with who came first, and the clock of a test stands still.
    app.advance(Duration::from_secs(1));
    let user = somebody(app).await;
    let (id, token) = invite(app, owner, &user.email, role).await;
    let visitor = sure(app, &user).await;
    visitor.post(&format!("/invitations/{id}/accept")).json(&json!({ "token": token })).await.assert_ok();
    (user, visitor)
}

async fn read(visitor: &TestApp, path: &str) -> Value {
    let answer = visitor.get(&format!("/api{path}")).await;
    assert_private_json(answer.assert_ok());
    answer.json()
}

/// JSON that nothing keeps.
fn assert_private_json(answer: &TestResponse) {
    answer.assert_header("content-type", "application/json").assert_header("cache-control", "no-store");
}

// spec: ORG-4
#[housekey::test]
async fn pages_about_an_organisation_are_read_by_its_members_only(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let nobody = app.signed_in(&somebody(&app).await).await;
    for path in OWN.map(|path| format!("/api/settings/organization{path}")) {
        app.visitor().get(&path).await.assert_status(401);
        nobody.get(&path).await.assert_status(403).assert_dont_see("Acme");
        assert_private_json(ada.get(&path).await.assert_ok());
    }
    app.visitor().get("/api/organizations").await.assert_status(401);
    assert_eq!(
        read(&nobody, "/organizations").await,
        json!({ "active": null, "organizations": [], "invitations": [] })
    );
}

// spec: ORG-3, ORG-4
#[housekey::test]
async fn the_switcher_lists_ones_own_organisations_and_knows_where_one_is(app: TestApp) {
    let ada = owner(&app, "Bolt").await;
    ada.post("/organizations").json(&json!({ "name": "acme works" })).await.assert_ok();
    owner(&app, "Somebody else's").await;

    let mine = read(&ada, "/organizations").await;
    let names: Vec<&Value> =
        mine["organizations"].as_array().unwrap().iter().map(|each| &each["name"]).collect();
    assert_eq!(names, ["acme works", "Bolt"], "by name, and nobody else's");
    assert_eq!(mine["active"], mine["organizations"][0]["id"], "whoever creates one works in it");

    let bolt = json!({ "organization": mine["organizations"][1]["id"] });
    ada.post("/organizations/switch").json(&bolt).await.assert_json_path("redirect", "/dashboard");
    assert_eq!(read(&ada, "/organizations").await["active"], bolt["organization"]);
    assert_eq!(read(&ada, "/settings/organization").await["name"], "Bolt");
}

// spec: ORG-4
#[housekey::test]
async fn the_general_page_says_what_one_may_do_and_why_the_last_owner_stays(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let (_, bob) = member(&app, &ada, "member").await;
    let hers = read(&ada, "/settings/organization").await;
    assert_eq!(
        (&hers["roles"], &hers["mayUpdate"], &hers["mayDelete"]),
        (&json!(["owner"]), &json!(true), &json!(true))
    );
    assert!(hers["whyNotLeave"].as_str().is_some_and(|why| why.contains("only owner")), "{hers}");

    let his = read(&bob, "/settings/organization").await;
    let expected = json!({
        "id": his["id"], "name": "Acme", "slug": "acme", "roles": ["member"],
        "mayUpdate": false, "mayDelete": false, "whyNotLeave": null
    });
    assert_eq!(his, expected);
}

// spec: ORG-4
#[housekey::test]
async fn members_are_searched_and_turned_over_page_by_page(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let (bob, his) = member(&app, &ada, "member").await;
    let all = read(&ada, "/settings/organization/members").await;
    assert_eq!((&all["total"], &all["page"], &all["pages"]), (&json!(2), &json!(1), &json!(1)));
    assert_eq!(all["roles"], json!(["owner", "admin", "member"]));
    let [first, second] = all["members"].as_array().unwrap().as_slice() else { panic!("{all}") };
    assert_eq!(
        (&first["you"], &first["mayRemove"], &first["mayChangeRole"]),
        (&json!(true), &json!(false), &json!(false))
    );
    assert!(first["whyNot"].as_str().is_some_and(|why| why.contains("only owner")), "{first}");
    assert_eq!((&second["email"], &second["mayRemove"]), (&json!(bob.email), &json!(true)));

    let address = bob.email.split('@').next().unwrap();
    let found = read(&ada, &format!("/settings/organization/members?search={address}")).await;
    assert_eq!((&found["total"], &found["members"][0]["email"]), (&json!(1), &json!(bob.email)));
    let none = read(&ada, "/settings/organization/members?search=%25&page=1").await;
    assert_eq!(none["total"], 0, "a percent sign is a percent sign");
    let beyond = read(&ada, "/settings/organization/members?page=7").await;
    assert_eq!((&beyond["members"], &beyond["total"]), (&json!([]), &json!(2)));
    let long = format!("/api/settings/organization/members?search={}", "x".repeat(101));
    ada.get(&long).await.assert_status(422);

    // He sees who is there, and can do nothing about it.
    let seen = read(&his, "/settings/organization/members").await;
    assert_eq!((&seen["total"], &seen["mayInvite"]), (&json!(2), &json!(false)));
    let rows = seen["members"].as_array().unwrap();
    assert!(rows.iter().all(|row| row["mayRemove"] == false && row["mayChangeRole"] == false), "{seen}");
}

// spec: ORG-3
#[housekey::test]
async fn who_was_removed_reads_nothing_at_the_next_request(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let (bob, his) = member(&app, &ada, "member").await;
    let all = read(&ada, "/settings/organization/members").await;
    let row = all["members"].as_array().unwrap().iter().find(|row| row["email"] == json!(bob.email)).unwrap();
    let path = format!("/settings/organization/members/{}", row["id"].as_str().unwrap());
    ada.delete(&path).accept_json().await.assert_ok();
    for path in OWN.map(|path| format!("/api/settings/organization{path}")) {
        his.get(&path).await.assert_status(403).assert_dont_see("Acme");
    }
    assert_eq!(read(&his, "/organizations").await["organizations"], json!([]));
}

// spec: ORG-4
#[housekey::test]
async fn invitations_are_the_business_of_those_who_invite(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let (_, bob) = member(&app, &ada, "member").await;
    let (id, token) = invite(&app, &ada, "eve@example.com", "admin").await;

    let hers = ada.get("/api/settings/organization/invitations").await;
    hers.assert_json_path("mayInvite", true).assert_json_path("mayCancel", true);
    hers.assert_json_path("invitations.0.email", "eve@example.com");
    hers.assert_json_path("invitations.0.roles", json!(["admin"]));
    hers.assert_json_path("invitations.0.expired", false);
    let listed: Value = hers.json();
    assert!(listed["invitations"][0]["link"].as_str().unwrap().ends_with(&format!("/invitations/{id}")));
    // What proves the address is in the mail and nowhere else.
    hers.assert_dont_see(&token);

    let his = read(&bob, "/settings/organization/invitations").await;
    let nothing = json!({
        "organization": listed["organization"], "invitations": [], "mayInvite": false, "mayCancel": false, "roles": ["admin", "member"]
    });
    assert_eq!(his, nothing);

    app.advance(Duration::from_hours(24 * 8));
    let ada = app.signed_in(&somebody(&app).await).await;
    ada.get("/api/settings/organization/invitations").await.assert_status(403).assert_dont_see("eve@");
}

// spec: ORG-5
#[housekey::test]
async fn an_invitation_says_the_same_about_an_address_with_and_without_an_account(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let known = somebody(&app).await;
    let mut shown = Vec::new();
    for email in [known.email.as_str(), "unknown@example.com"] {
        let (id, token) = invite(&app, &ada, email, "member").await;
        let answer = app.visitor().post("/api/invitation").json(&json!({ "id": id, "token": token })).await;
        assert_private_json(answer.assert_ok());
        let mut it: Value = answer.json();
        assert_eq!(it["email"], email);
        it["email"] = Value::Null;
        shown.push(it);
    }
    assert_eq!(shown[0], shown[1]);
    assert_eq!((&shown[0]["organization"], &shown[0]["visitor"]), (&json!("Acme"), &json!("guest")));
}

// spec: ORG-5
#[housekey::test]
async fn an_invitation_knows_its_recipient_from_somebody_else_and_is_not_spent_by_looking(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let (bob, eve) = (somebody(&app).await, somebody(&app).await);
    let (id, _) = invite(&app, &ada, &bob.email, "member").await;
    let question = json!({ "id": id });
    for _ in 0..2 {
        let his = app.signed_in(&bob).await.post("/api/invitation").json(&question).await;
        his.assert_ok().assert_json_path("visitor", "recipient").assert_json_path("signedInAs", Value::Null);
    }
    let hers = app.signed_in(&eve).await.post("/api/invitation").json(&question).await;
    hers.assert_ok()
        .assert_json_path("visitor", "somebodyElse")
        .assert_json_path("signedInAs", eve.email.as_str());

    // She cannot take it, and it is still there for him.
    let take = format!("/invitations/{id}/accept");
    let refused = app.signed_in(&eve).await.post(&take).json(&json!({})).await;
    assert!(refused.status().is_client_error(), "{}", refused.status());
    let waiting = read(&app.signed_in(&bob).await, "/organizations").await;
    assert_eq!(waiting["invitations"][0]["id"], json!(id));
    assert_eq!(waiting["invitations"][0]["organization"], "Acme");
}

// spec: ORG-5
#[housekey::test]
async fn one_that_is_over_is_one_that_never_was(app: TestApp) {
    let ada = owner(&app, "Acme").await;
    let (revoked, _) = invite(&app, &ada, "eve@example.com", "member").await;
    ada.delete(&format!("/settings/organization/invitations/{revoked}")).accept_json().await.assert_ok();
    let (late, token) = invite(&app, &ada, "joe@example.com", "member").await;
    app.advance(Duration::from_hours(24 * 8));

    let guest = app.visitor();
    let ask = |body: Value| guest.post("/api/invitation").json(&body);
    let never = ask(json!({ "id": "never-was" })).await;
    never.assert_not_found();
    for body in [json!({ "id": revoked }), json!({ "id": late, "token": token })] {
        let answer = ask(body).await;
        answer.assert_not_found().assert_dont_see("Acme").assert_dont_see("example.com");
        assert_eq!(answer.json::<Value>()["message"], never.json::<Value>()["message"]);
    }
    ask(json!({})).await.assert_status(422).assert_invalid("id");
}

// spec: SHL-4, SHL-6, ORG-5
#[housekey::test]
async fn the_link_of_an_invitation_opens_the_guests_document_for_everybody_and_tells_no_other_site(
    app: TestApp,
) {
    let ada = app.signed_in(&somebody(&app).await).await;
    let guests = app.get("/auth/sign-in").await;
    for visitor in [&app.visitor(), &ada] {
        let page = visitor.get("/invitations/abcdef?token=ghijkl").await;
        page.assert_ok().assert_header("referrer-policy", "same-origin");
        page.assert_header("cache-control", "public, max-age=0, must-revalidate");
        page.assert_dont_see("abcdef").assert_dont_see("ghijkl").assert_no_header("set-cookie");
        assert_eq!(page.bytes(), guests.bytes());
    }
}

// spec: SHL-9, MID-1
#[housekey::test]
async fn the_other_pages_are_in_the_members_document(app: TestApp) {
    let ada = app.signed_in(&somebody(&app).await).await;
    let first = ada.get("/dashboard").await;
    for path in [
        "/organizations",
        "/organizations/create",
        "/settings/organization",
        "/settings/organization/members",
        "/settings/organization/invitations",
    ] {
        app.visitor().get(path).await.assert_status(302).assert_redirect("/auth/sign-in");
        assert_eq!(ada.get(path).await.assert_ok().bytes(), first.bytes(), "{path}");
    }
}

//! The pages of organisations, as a browser without script gets them.

use housekey::mail::Mailer;
use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

const PASSWORD: &str = UserFactory::PASSWORD;
const GENERAL: &str = "/settings/organization";
const INVITATIONS: &str = "/settings/organization/invitations";
const MEMBERS: &str = "/settings/organization/members";

async fn named(app: &TestApp, name: &str) -> User {
    app.within(UserFactory::named(name)).await.unwrap()
}

async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor
}

/// An owner and the organisation that they created.
async fn owner_of(app: &TestApp, name: &str) -> TestApp {
    let visitor = sure_of(app, &named(app, "Ada Lovelace").await).await;
    visitor.post("/organizations").form(&[("name", name)]).await.assert_status(303);
    visitor.get("/dashboard").await;
    visitor
}

/// Invites an address; the page that the mail leads to.
async fn invite(app: &TestApp, host: &TestApp, email: &str, role: &str) -> String {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    host.post(INVITATIONS).json(&json!({ "emails": email, "role": role })).await.assert_ok();
    let link = mails.link_to(email);
    link.split_once("localhost:3000").map_or(link.as_str(), |(_, path)| path).to_owned()
}

/// Somebody who is let in, and works there.
async fn member_of(app: &TestApp, host: &TestApp, name: &str, role: &str) -> TestApp {
    let user = named(app, name).await;
    let page = invite(app, host, &user.email, role).await;
    let visitor = sure_of(app, &user).await;
    let path = page.split('?').next().unwrap_or_default();
    visitor.post(&format!("{path}/accept")).form(&[("a", "b")]).await.assert_status(303);
    visitor.get("/dashboard").await;
    visitor
}

/// Whether there is a form with this address, whatever it names besides.
fn has_form(page: &TestResponse, action: &str) -> bool {
    ['"', '?'].iter().any(|end| page.text().contains(&format!(r#"action="{action}{end}"#)))
}

// spec: ORG-4
#[housekey::test]
async fn every_form_about_an_organisation_names_it(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    member_of(&app, &owner, "Eve", "owner").await;
    invite(&app, &owner, "new@example.com", "member").await;
    let mut found = 0;
    for path in [GENERAL, MEMBERS, INVITATIONS] {
        let page = owner.get(path).await.text();
        for form in page.split(r#"<form method="post" action="/settings/organization"#).skip(1) {
            let address = form.split('"').next().unwrap_or_default();
            assert!(address.contains("?organization="), "{path}: {address}");
            found += 1;
        }
    }
    assert!(found >= 7, "{found} forms");
}

// spec: MID-1, ORG-4
#[housekey::test]
async fn who_is_in_no_organisation_is_led_to_the_page_that_offers_one(app: TestApp) {
    for path in ["/organizations", "/organizations/create", GENERAL, MEMBERS, INVITATIONS] {
        app.visitor().get(path).await.assert_status(302).assert_redirect(&app.route("sign-in"));
    }
    let visitor = app.signed_in(&named(&app, "Eve").await).await;
    for path in [GENERAL, MEMBERS, INVITATIONS] {
        visitor.get(path).await.assert_status(302).assert_redirect("/organizations");
    }
    let page = visitor.get("/organizations").await;
    page.assert_status(200).assert_see("You are in no organization yet").assert_see("/organizations/create");
    visitor.get("/dashboard").await.assert_status(200).assert_see("No organization");
}

// spec: ORG-3
#[housekey::test]
async fn the_switcher_names_the_organisation_one_is_in_and_leads_to_the_others(app: TestApp) {
    let visitor = owner_of(&app, "First & Co").await;
    visitor.post("/organizations").form(&[("name", "Second")]).await.assert_status(303);
    for path in ["/dashboard", "/settings/profile", GENERAL, "/organizations"] {
        let page = visitor.get(path).await;
        page.assert_status(200).assert_see("First &amp; Co").assert_see("Second");
        assert!(has_form(&page, "/organizations/switch"), "{path}");
    }
    visitor.get(GENERAL).await.assert_see(r#"value="Second""#);
}

// spec: KIT-3
#[housekey::test]
async fn html_in_a_name_is_text_on_every_page(app: TestApp) {
    let name = r#""><img src=x onerror=alert(1)>"#;
    let visitor = owner_of(&app, name).await;
    let page = invite(&app, &visitor, "new@example.com", "member").await;
    for path in ["/dashboard", "/organizations", GENERAL, MEMBERS, INVITATIONS, page.as_str()] {
        visitor.get(path).await.assert_status(200).assert_dont_see("<img src=x");
    }
    let search = visitor.get(&format!("{MEMBERS}?q=%22%3E%3Cimg%20src%3Dx%3E&page=2")).await;
    search.assert_status(200).assert_dont_see("<img src=x");
    app.visitor().get(&page).await.assert_status(200).assert_dont_see("<img src=x");
}

// spec: ORG-2
#[housekey::test]
async fn the_rules_about_the_last_owner_are_explained_before_anything_is_refused(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    let page = owner.get(GENERAL).await;
    page.assert_see("You are the only one here. To leave, delete the organization.");
    assert!(!has_form(&page, "/settings/organization/leave"));
    let member = member_of(&app, &owner, "Eve", "member").await;
    owner.get(GENERAL).await.assert_see("You are the only owner, and an organization always has one.");
    owner.get(MEMBERS).await.assert_see("The only owner. Make somebody else an owner first.");
    assert!(has_form(&member.get(GENERAL).await, "/settings/organization/leave"));
    member_of(&app, &owner, "Max", "owner").await;
    assert!(has_form(&owner.get(GENERAL).await, "/settings/organization/leave"));
    owner.get(MEMBERS).await.assert_dont_see("The only owner.");
}

// spec: ORG-1
#[housekey::test]
async fn pages_offer_what_a_role_allows_and_say_who_may_do_the_rest(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    let admin = member_of(&app, &owner, "Max", "admin").await;
    let member = member_of(&app, &owner, "Eve", "member").await;
    let general = member.get(GENERAL).await;
    general.assert_see("Owners and admins can change this.").assert_dont_see("Delete the organization");
    let members = member.get(MEMBERS).await;
    members.assert_see("Ada Lovelace").assert_dont_see("Remove ").assert_dont_see("<select");
    let invitations = member.get(INVITATIONS).await;
    invitations.assert_see("Owners and admins invite people.");
    assert!(!has_form(&invitations, INVITATIONS));

    admin.get(GENERAL).await.assert_dont_see("Delete the organization");
    let members = admin.get(MEMBERS).await;
    members.assert_see("Only an owner can change an owner.").assert_see("Remove Eve");
    members.assert_dont_see(r#"<option value="owner""#).assert_dont_see("Remove Ada");
    owner.get(GENERAL).await.assert_see("Delete the organization");
    owner.get(MEMBERS).await.assert_see(r#"<option value="owner""#).assert_see("Remove Max");
}

#[housekey::test]
async fn members_are_searched_and_shown_page_by_page(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    let organization: Vec<String> =
        app.within(async { db()?.table("organization").pluck("id").await }).await.unwrap();
    for number in 0..25 {
        let user = named(&app, &format!("Member {number:02}")).await;
        let row = record! {
            "id" => format!("member-{number:02}"), "organizationId" => organization[0].as_str(),
            "userId" => user.id.as_str(), "role" => "member",
            "createdAt" => app.clock().now() + time::Duration::seconds(number),
        };
        app.within(async { db()?.table("member").insert(row).await }).await.unwrap();
    }
    let first = owner.get(MEMBERS).await;
    first.assert_see("26 members").assert_see("Page 1 of 2");
    first.assert_see("Member 18").assert_dont_see("Member 19");
    let second = owner.get(&format!("{MEMBERS}?page=2")).await;
    second.assert_see("Page 2 of 2").assert_see("Member 24").assert_dont_see("Member 18");
    let found = owner.get(&format!("{MEMBERS}?q=mEMBER+07")).await;
    found
        .assert_see("Member 07")
        .assert_see("One member")
        .assert_dont_see("Member 08")
        .assert_dont_see("Page 1");
    let none = owner.get(&format!("{MEMBERS}?q=100%25")).await;
    none.assert_see("Nobody here has “100%” in their name or address.").assert_see("Show all members");
    for odd in ["page=0", "page=-1", "page=x", "page=99999999999999999999", "page=4294967295"] {
        owner.get(&format!("{MEMBERS}?{odd}")).await.assert_status(200);
    }
}

// spec: ORG-5
#[housekey::test]
async fn the_page_of_an_invitation_looks_the_same_whether_the_address_has_an_account(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    let eve = named(&app, "Eve").await;
    let known = invite(&app, &owner, &eve.email, "member").await;
    let unknown = invite(&app, &owner, "nobody.knows@example.com", "member").await;
    let mut shapes = Vec::new();
    for (page, email) in [(known, eve.email.as_str()), (unknown, "nobody.knows@example.com")] {
        let shown = app.visitor().get(&page).await;
        shown.assert_status(200).assert_see("Join Engines").assert_see("Ada Lovelace invites you");
        shown.assert_header("cache-control", "no-store").assert_header("referrer-policy", "same-origin");
        let path = page.split('?').next().unwrap_or_default();
        let token = page.split("token=").nth(1).unwrap_or_default();
        let main = shown.text().split("<main").nth(1).unwrap_or_default().to_owned();
        let main = main.replace(email, "ADDRESS").replace(path, "PATH").replace(token, "TOKEN");
        // Each visitor has a CSRF token of their own, which is long and has no space in it.
        let parts: Vec<&str> = main.split('"').filter(|part| part.len() < 30 || part.contains(' ')).collect();
        shapes.push(parts.join("\""));
    }
    assert_eq!(shapes[0], shapes[1]);
}

// spec: ORG-5
#[housekey::test]
async fn a_scanner_that_opens_the_link_spends_nothing(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    let eve = named(&app, "Eve").await;
    let page = invite(&app, &owner, &eve.email, "member").await;
    for visitor in [app.visitor(), app.signed_in(&eve).await] {
        for _ in 0..3 {
            visitor.get(&page).await.assert_status(200);
        }
        let _ = visitor.request("HEAD".parse().unwrap(), &page).await;
    }
    let waiting = async { db()?.table("invitation").where_eq("status", "pending").count().await };
    assert_eq!(app.within(waiting).await.unwrap(), 1);
    let shown = app.signed_in(&eve).await.get(&page).await;
    shown.assert_see("Accept and join").assert_see("Decline");
}

// spec: ORG-5
#[housekey::test]
async fn the_wrong_person_is_told_so_and_offered_the_way_out(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    let page = invite(&app, &owner, "grace@example.com", "member").await;
    let mallory = app.signed_in(&named(&app, "Mallory").await).await;
    let shown = mallory.get(&page).await;
    shown.assert_status(200).assert_see("This invitation is for grace@example.com");
    shown.assert_see("Sign out and go on").assert_dont_see("Accept and join");
}

// spec: ORG-5
#[housekey::test]
async fn what_is_no_longer_open_says_so_in_one_way(app: TestApp) {
    let owner = owner_of(&app, "Engines").await;
    let page = invite(&app, &owner, "late@example.com", "member").await;
    app.advance(std::time::Duration::from_secs(8 * 86_400));
    for path in [page.as_str(), "/invitations/nonsense", "/invitations/0000?token=1"] {
        let gone = app.visitor().get(path).await;
        gone.assert_status(404).assert_see("This invitation is no longer open").assert_dont_see("Engines");
    }
}

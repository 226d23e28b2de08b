//! The list of people.

use std::time::Duration;

use housekey::testing::TestApp;

use crate::support::{admin, appointed, somebody};

// spec: ADM-1
#[housekey::test]
async fn people_are_found_by_how_their_name_or_address_begins_and_by_its_middle_when_asked(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    let (ada, bob) = (somebody(&app, "Ada <b>100%</b>").await, somebody(&app, "Bob Brown").await);
    let found = visitor.get("/admin/users?search=BOB%20b").await;
    found.assert_ok().assert_see(&bob.email).assert_dont_see(&ada.email);
    let found = visitor.get("/admin/users?search=BROWN").await;
    found.assert_dont_see(&bob.email).assert_see("search=BROWN&amp;anywhere=true");
    let found = visitor.get("/admin/users?search=BROWN&anywhere=true").await;
    found.assert_ok().assert_see(&bob.email).assert_dont_see(&ada.email);
    // The field says what it does, and the next search does the same.
    found.assert_see("Name or e-mail contains").assert_see(r#"name="anywhere" value="true""#);
    visitor.get(&format!("/admin/users?search={}", &ada.email[..12])).await.assert_see(&ada.email);
    // Letters are letters.
    let found = visitor.get("/admin/users?search=100%25&anywhere=true").await;
    found.assert_see(&ada.email).assert_dont_see(&bob.email).assert_dont_see("<b>100%");
    visitor.get("/admin/users?search=b%25n&anywhere=true").await.assert_see("Nobody is like that.");
    visitor.get("/admin/users?search=_ob&anywhere=true").await.assert_dont_see(&bob.email);
    visitor.get("/admin/users?search=%27%3B--").await.assert_ok().assert_see("Nobody is like that.");
}

// spec: ADM-1
#[housekey::test]
async fn the_list_is_narrowed_and_sorted(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    let (carol, bob) = (appointed(&app, "Carol").await, somebody(&app, "Bob").await);
    app.advance(Duration::from_secs(60));
    let zoe = somebody(&app, "Zoe").await;
    let place = |text: &str, email: &str| text.find(email).unwrap_or_else(|| panic!("{email} is not there"));
    let newest = visitor.get("/admin/users").await.text();
    assert!(place(&newest, &zoe.email) < place(&newest, &bob.email));
    let by_name = visitor.get("/admin/users?sort=name").await.text();
    assert!(place(&by_name, &bob.email) < place(&by_name, &zoe.email));
    let admins = visitor.get("/admin/users?show=admins").await;
    admins.assert_see(&carol.email).assert_dont_see(&bob.email);
    visitor
        .post(&format!("/admin/users/{}/ban", bob.id))
        .form(&[("reason", "spam"), ("days", "")])
        .await
        .assert_status(303);
    let closed = visitor.get("/admin/users?show=closed").await;
    closed.assert_see(&bob.email).assert_dont_see(&carol.email);
    visitor.get("/admin/users?show=nonsense&sort=nonsense").await.assert_ok();
}

// spec: ADM-1
#[housekey::test]
async fn a_long_list_has_pages_and_no_end_of_them_is_an_error(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    for number in 0..27 {
        app.advance(Duration::from_secs(1));
        somebody(&app, &format!("Person {number:02}")).await;
    }
    let first = visitor.get("/admin/users?search=Person").await;
    first.assert_see("Person 26").assert_dont_see("Person 01").assert_see("search=Person&amp;page=2");
    let second = visitor.get("/admin/users?search=Person&page=2").await;
    second.assert_see("Person 01").assert_dont_see("Person 26").assert_dont_see("page=3");
    for page in ["0", "9999", "4294967295"] {
        visitor.get(&format!("/admin/users?page={page}")).await.assert_ok();
    }
}

// spec: ADM-1
#[housekey::test]
async fn no_cache_keeps_the_pages_and_no_secret_is_on_them(app: TestApp) {
    let (_, visitor) = admin(&app).await;
    let bob = somebody(&app, "Bob").await;
    app.signed_in(&bob).await;
    for path in ["/admin/users".to_owned(), "/admin/events".into(), format!("/admin/users/{}", bob.id)] {
        visitor.get(&path).await.assert_ok().assert_header("cache-control", "no-store");
    }
    let tokens = async { housekey::prelude::db()?.table("session").pluck::<String>("token").await };
    let page = visitor.get(&format!("/admin/users/{}", bob.id)).await.text();
    for token in app.within(tokens).await.unwrap() {
        assert!(!page.contains(&token), "a token is on the page");
    }
}

//! Two windows: in one somebody has gone to another organisation, the other still shows the first.

use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{active, create, owner_of, rows};

async fn names(app: &TestApp) -> Vec<String> {
    app.within(async { db()?.table("organization").order_by("slug").pluck("name").await }).await.unwrap()
}

// spec: ORG-4
#[housekey::test]
async fn no_form_that_was_drawn_for_one_organisation_acts_on_another(app: TestApp) {
    let (_, visitor, first) = owner_of(&app, "first").await;
    let second = create(&app, &visitor, "Second", "second").await;
    let mut tried = 0;
    for route in app.application().routes().list() {
        let writes = route.methods.iter().filter(|method| !["GET", "HEAD"].contains(&method.as_str()));
        for method in writes.filter(|_| route.path.starts_with("/settings/organization")) {
            let path = format!("{}?organization={first}", route.path.replace("{id}", "any"));
            let form =
                json!({ "name": "Renamed", "slug": "renamed", "emails": "a@example.com", "role": "member" });
            let answer = visitor.request(method.parse().unwrap(), &path).json(&form).await;
            assert_eq!(answer.status(), 409, "{method} {path}: {}", answer.text());
            answer.assert_json_path("code", "OTHER_ORGANIZATION").assert_see("by now you are in Second");
            tried += 1;
        }
    }
    assert_eq!(tried, 8);
    assert_eq!(names(&app).await, ["first", "Second"]);
    assert_eq!((rows(&app, "member").await, rows(&app, "invitation").await), (2, 0));
    assert_eq!(active(&visitor).await, Some(second));
}

// spec: ORG-4, ERR-1
#[housekey::test]
async fn a_browser_is_shown_what_happened_and_the_right_window_goes_on(app: TestApp) {
    let (_, visitor, first) = owner_of(&app, "first").await;
    let second = create(&app, &visitor, "Second", "second").await;
    let form = [("name", "Renamed"), ("slug", "renamed")];
    let stale = visitor.patch(&format!("/settings/organization?organization={first}")).form(&form).await;
    stale.assert_status(409).assert_see("You are somewhere else by now.").assert_see("you are in Second");
    let named = visitor.patch(&format!("/settings/organization?organization={second}")).form(&form).await;
    named.assert_status(303);
    assert_eq!(names(&app).await, ["first", "Renamed"]);
    // Who names none means the active one.
    let form = [("name", "Again"), ("slug", "renamed")];
    visitor.patch("/settings/organization").form(&form).await.assert_status(303);
    assert_eq!(names(&app).await, ["first", "Again"]);
}

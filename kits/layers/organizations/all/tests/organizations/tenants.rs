//! Nobody reaches into another organisation: every route of this layer, with the ids of another one.

use std::collections::BTreeSet;

use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use crate::support::{active, invite, member_of, membership, owner_of, role_of, rows};

/// The routes that write, with what is sent to them. `{…}` stands for an id of the other organisation.
const WRITES: [(&str, &str, &str); 14] = [
    ("POST", "/organizations", r#"{ "name": "Mine", "slug": "theirs" }"#),
    ("POST", "/organizations/switch", r#"{ "organization": "{organization}" }"#),
    (
        "PATCH",
        "/settings/organization",
        r#"{ "name": "Mine", "slug": "mine-too", "organizationId": "{organization}" }"#,
    ),
    ("DELETE", "/settings/organization", r#"{ "organizationId": "{organization}", "id": "{organization}" }"#),
    ("POST", "/settings/organization/leave", r#"{ "organizationId": "{organization}" }"#),
    (
        "PATCH",
        "/settings/organization/members/{member}",
        r#"{ "role": "member", "organizationId": "{organization}" }"#,
    ),
    ("DELETE", "/settings/organization/members/{member}", r#"{ "organizationId": "{organization}" }"#),
    (
        "POST",
        "/settings/organization/invitations",
        r#"{ "emails": "spy@example.com", "role": "member", "organizationId": "{organization}" }"#,
    ),
    ("POST", "/settings/organization/invitations/{invitation}/resend", "{}"),
    ("DELETE", "/settings/organization/invitations/{invitation}", "{}"),
    ("POST", "/invitations/{invitation}/accept", "{}"),
    ("POST", "/invitations/{invitation}/decline", "{}"),
    ("POST", "/invitations/{invitation}/sign-out", "{}"),
    ("POST", "/invitations/{invitation}/sign-up", r#"{ "name": "Spy", "password": "a wholly new horse" }"#),
];

/// A picture of everything that an organisation is.
async fn picture(app: &TestApp, organization: &str) -> String {
    use housekey::prelude::*;
    let read = async {
        let names: Vec<String> =
            db()?.table("organization").where_eq("id", organization).pluck("name").await?;
        let slugs: Vec<String> =
            db()?.table("organization").where_eq("id", organization).pluck("slug").await?;
        let of =
            |table: &'static str| db().map(|db| db.table(table).where_eq("organizationId", organization));
        let members: Vec<String> = of("member")?.order_by("id").pluck("userId").await?;
        let roles: Vec<String> = of("member")?.order_by("id").pluck("role").await?;
        let invitations: Vec<String> = of("invitation")?.order_by("id").pluck("email").await?;
        let statuses: Vec<String> = of("invitation")?.order_by("id").pluck("status").await?;
        Ok::<_, Error>(format!("{names:?} {slugs:?} {members:?} {roles:?} {invitations:?} {statuses:?}"))
    };
    app.within(read).await.unwrap()
}

async fn send(visitor: &TestApp, method: &str, path: &str, body: &str) -> TestResponse {
    let body: Value = housekey::serde_json::from_str(body).unwrap();
    visitor.request(method.parse().unwrap(), path).json(&body).await
}

// spec: ORG-3, ORG-4
#[housekey::test]
async fn every_write_with_another_organisations_ids_leaves_it_as_it_was(app: TestApp) {
    let (ada, theirs, organization) = owner_of(&app, "theirs").await;
    let (eve, _) = member_of(&app, &theirs, "admin").await;
    let invitation = invite(&app, &theirs, "guest@example.com", "member").await;
    let before = picture(&app, &organization).await;

    for (method, path, body) in WRITES {
        for victim in [&ada, &eve] {
            // Each attempt comes from the owner of an organisation of their own.
            let slug = format!("mine-{}", rows(&app, "organization").await);
            let (mallory, visitor, own) = owner_of(&app, &slug).await;
            let member = membership(&app, &organization, victim).await;
            let fill = |text: &str| {
                text.replace("{organization}", &organization)
                    .replace("{member}", &member)
                    .replace("{invitation}", &invitation)
            };
            let answer = send(&visitor, method, &fill(path), &fill(body)).await;
            assert!(answer.status().as_u16() < 500, "{method} {path}: {}", answer.text());
            assert!(!answer.text().contains("guest@example.com"), "{method} {path}: {}", answer.text());
            assert_eq!(picture(&app, &organization).await, before, "{method} {path} {}", answer.text());
            assert_eq!(role_of(&app, &organization, &mallory).await, None, "{method} {path}");
            let there = active(&visitor).await;
            assert!(there.is_none() || there == Some(own), "{method} {path} moved to {there:?}");
            app.advance(std::time::Duration::from_secs(61));
        }
    }
}

// spec: ORG-4
#[housekey::test]
async fn what_names_a_foreign_member_or_invitation_finds_nothing(app: TestApp) {
    let (ada, theirs, organization) = owner_of(&app, "theirs").await;
    let invitation = invite(&app, &theirs, "guest@example.com", "member").await;
    let member = membership(&app, &organization, &ada).await;
    let (_, visitor, _) = owner_of(&app, "mine").await;
    let paths = [
        ("PATCH", format!("/settings/organization/members/{member}"), json!({ "role": "member" })),
        ("DELETE", format!("/settings/organization/members/{member}"), json!({})),
        ("POST", format!("/settings/organization/invitations/{invitation}/resend"), json!({})),
        ("DELETE", format!("/settings/organization/invitations/{invitation}"), json!({})),
        ("POST", "/organizations/switch".to_owned(), json!({ "organization": organization })),
    ];
    for (method, path, body) in paths {
        let answer = visitor.request(method.parse().unwrap(), &path).json(&body).await;
        assert_eq!(answer.status(), 404, "{method} {path}: {}", answer.text());
    }
}

// spec: ORG-4
#[housekey::test]
async fn a_member_of_both_acts_only_in_the_one_they_are_in(app: TestApp) {
    let (_, theirs, organization) = owner_of(&app, "theirs").await;
    let (eve, both) = member_of(&app, &theirs, "admin").await;
    let (max, _) = member_of(&app, &theirs, "member").await;
    both.post("/organizations").json(&json!({ "name": "Mine", "slug": "mine" })).await.assert_ok();
    let path = format!("/settings/organization/members/{}", membership(&app, &organization, &max).await);
    both.delete(&path).json(&json!({})).await.assert_not_found();
    assert_eq!(role_of(&app, &organization, &max).await.as_deref(), Some("member"));
    both.post("/organizations/switch").json(&json!({ "organization": organization })).await.assert_ok();
    both.delete(&path).json(&json!({})).await.assert_ok();
    assert_eq!(role_of(&app, &organization, &eve).await.as_deref(), Some("admin"));
}

/// A route that is new belongs into [`WRITES`].
#[housekey::test]
async fn no_write_of_this_layer_is_missing_here(app: TestApp) {
    let shape = |path: &str| path.replace("{member}", "{id}").replace("{invitation}", "{id}");
    let tried: BTreeSet<String> =
        WRITES.iter().map(|(method, path, _)| format!("{method} {}", shape(path))).collect();
    let of_layer = ["/organizations", "/settings/organization", "/invitations"];
    let listed: BTreeSet<String> = app
        .application()
        .routes()
        .list()
        .iter()
        .filter(|route| of_layer.iter().any(|prefix| route.path.starts_with(prefix)))
        .flat_map(|route| {
            route.methods.iter().map(|method| format!("{method} {}", route.path)).collect::<Vec<_>>()
        })
        .filter(|route| !route.starts_with("GET ") && !route.starts_with("HEAD "))
        .collect();
    assert_eq!(listed, tried);
}

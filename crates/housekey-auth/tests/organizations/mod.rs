//! Organisations and admins in an app: accessors, guards, the gate, mail, invitations, models, through HTTP.
mod admin;
mod cookie_cache;
mod gate;
mod guards;
mod invitations;
mod mail;
mod models;

use std::collections::BTreeMap;

use housekey_auth::config::{AdminOptions, OrganizationOptions, Plugins, admin, organization};
use housekey_auth::engine::User;
use housekey_auth::engine::options::{AdditionalField, FieldKind};
use housekey_auth::engine::plugins::bearer;
use housekey_auth::{
    Auth, AuthConfig, impersonated_by, is_admin, organization as present, require_organization,
};
use housekey_http::Routes;
use housekey_http::axum::Json;
use housekey_mail::{MailFake, Mailer};
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::support::{engine_post, test_app};

/// An app whose organisations have a column of the app's own.
fn with_plugins(auth: &mut AuthConfig) {
    let beta = AdditionalField {
        kind: FieldKind::Boolean,
        input: Some(false),
        required: false,
        ..Default::default()
    };
    let columns = BTreeMap::from([("organization".to_owned(), [("beta".to_owned(), beta)].into())]);
    let options = OrganizationOptions { additional_fields: columns, ..Default::default() };
    auth.plugins =
        Plugins::from([organization(options), admin(AdminOptions::default()), bearer(Default::default())]);
    auth.mail_pages.invitation = Some("/invitations".into());
}

fn routes(route: &mut Routes) {
    route.get("/where", async || {
        present().map_or_else(|| "nowhere".to_owned(), |active| active.name().to_owned())
    });
    route.get("/required", async || require_organization().map(|active| active.id().to_owned()));
    route.get(
        "/extracted",
        async |housekey_auth::CurrentOrganization(active): housekey_auth::CurrentOrganization| {
            active.roles().collect::<Vec<_>>().join(",")
        },
    );
    route.get("/about", async || {
        let active = require_organization()?;
        Ok::<_, housekey_core::Error>(Json(json!({
            "invites": active.may("invitation", "create"),
            "deletes": active.may("organization", "delete"),
            "sunday": active.setting::<bool>("sunday"),
            "wrong": active.setting::<u32>("sunday"),
            "beta": active.has("beta"),
        })))
    });
    route.get("/member", async || "in").middleware("member");
    route.get("/owner", async || "in").middleware("role:owner");
    route.get("/lead", async || "in").middleware("role:owner,admin");
    route.get("/beta", async || "in").middleware("feature:beta");
    route.get("/admin", async || "in").middleware("admin");
    route.get("/is-admin", async || is_admin().to_string());
    route.get("/by", async || impersonated_by().unwrap_or_else(|| "nobody".to_owned()));
    route.post("/sign-out", async || housekey_auth::sign_out().await.map(|()| "gone"));
    invitations::routes(route);
    models::routes(route);
}

async fn app() -> TestApp {
    test_app(with_plugins, routes).await
}

/// Somebody with a proven address, signed in.
async fn somebody(app: &TestApp, email: &str) -> (User, TestApp) {
    let user = app.user(email).await;
    let visitor = app.signed_in(&user).await;
    (user, visitor)
}

/// An organisation with this slug, in which the visitor is; gives its id.
async fn organization_of(visitor: &TestApp, slug: &str) -> String {
    let body = json!({ "name": slug.to_uppercase(), "slug": slug, "metadata": { "sunday": true } });
    let made = engine_post(visitor, "organization/create", &body).await;
    made.assert_ok();
    made.json::<Value>()["id"].as_str().unwrap().to_owned()
}

/// Makes somebody a member, in the way of server code, and has them go there.
async fn joined(app: &TestApp, organization_id: &str, user: &User, visitor: &TestApp, role: &str) -> String {
    use housekey_auth::engine::plugins::organization::{NewMember, OrganizationRef, add_member};
    let auth = app.services().require::<Auth>().unwrap();
    let new = NewMember {
        user_id: user.id.clone(),
        roles: vec![role.to_owned()],
        organization: OrganizationRef::Id(organization_id),
        team_id: None,
    };
    let member = app.within(async { add_member(&mut auth.engine().api(), new).await }).await.unwrap();
    go_to(visitor, organization_id).await;
    member.id
}

async fn go_to(visitor: &TestApp, organization_id: &str) {
    let body = json!({ "organizationId": organization_id });
    engine_post(visitor, "organization/set-active", &body).await.assert_ok();
}

fn mails(app: &TestApp) -> MailFake {
    app.services().require::<Mailer>().unwrap().fake()
}

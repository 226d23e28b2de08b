//! Roles that an organisation makes for itself: nobody lifts themselves up by one.

use housekey_engine::access::AccessControl;
use housekey_engine::plugins::organization::{
    DynamicRoles, Limit, OrganizationOptions, admin_statements, default_access, default_statements,
    member_statements, owner_statements,
};
use housekey_engine::storage::Records as _;
use http::StatusCode;
use serde_json::{Value, json};

use crate::organization::teams::{Company, asks, does, engine, text};
use crate::support::{Browser, TestEngine, options};

fn with(maximum: Limit) -> TestEngine {
    let roles = DynamicRoles { maximum_roles_per_organization: maximum };
    let organizations = OrganizationOptions {
        access: Some(default_access()),
        dynamic_roles: Some(roles),
        ..Default::default()
    };
    engine(options(), organizations)
}

async fn company() -> Company {
    Company::of(with(Limit::None)).await
}

fn recruiter() -> Value {
    json!({ "role": "Recruiter", "permission": { "invitation": ["create", "cancel"] } })
}

async fn member_id(company: &Company, name: &str) -> String {
    let user = company.user(name).await;
    let rows = company.test.rows("member").await;
    let row = rows
        .iter()
        .find(|row| row.text("userId") == Some(&user) && row.text("organizationId") == Some(&company.acme));
    row.unwrap().text("id").unwrap().to_owned()
}

async fn may(browser: &mut Browser, permissions: Value) -> bool {
    let asked = does(browser, "has-permission", json!({ "permissions": permissions })).await;
    asked.assert(StatusCode::OK).json()["success"].as_bool().unwrap()
}

#[tokio::test]
// spec: ORG-1
async fn a_role_is_made_given_changed_and_deleted() {
    let mut company = company().await;
    let made = does(&mut company.ada, "create-role", recruiter()).await.assert(StatusCode::OK).json();
    assert_eq!(made["success"], true);
    assert_eq!(made["roleData"]["role"], "recruiter");
    assert_eq!(made["roleData"]["permission"], recruiter()["permission"]);
    assert_eq!(made["statements"], recruiter()["permission"]);
    assert!(!may(&mut company.carl, json!({ "invitation": ["create"] })).await);
    let carl = member_id(&company, "carl").await;
    let give = json!({ "memberId": carl, "role": ["member", "recruiter"] });
    does(&mut company.ada, "update-member-role", give).await.assert(StatusCode::OK);
    assert!(may(&mut company.carl, json!({ "invitation": ["create"] })).await);
    let invite = json!({ "email": "eve@example.com", "role": "member" });
    does(&mut company.carl, "invite-member", invite).await.assert(StatusCode::OK);
    does(&mut company.ada, "delete-role", json!({ "roleName": "recruiter" }))
        .await
        .refused(400, "ROLE_IS_ASSIGNED_TO_MEMBERS");
    let less = json!({ "roleName": "recruiter", "data": { "permission": { "ac": ["read"] } } });
    does(&mut company.ada, "update-role", less).await.assert(StatusCode::OK);
    assert!(!may(&mut company.carl, json!({ "invitation": ["create"] })).await, "at once");
    does(&mut company.ada, "update-member-role", json!({ "memberId": carl, "role": "member" }))
        .await
        .assert(StatusCode::OK);
    let id = &made["roleData"]["id"];
    does(&mut company.ada, "delete-role", json!({ "roleId": id })).await.assert(StatusCode::OK);
    assert_eq!(asks(&mut company.carl, "list-roles").await.json(), json!([]));
}

#[tokio::test]
// spec: ORG-1
async fn nobody_gives_a_role_what_they_are_not_allowed_themselves() {
    let mut company = company().await;
    let boss =
        json!({ "role": "boss", "permission": { "organization": ["update", "delete"], "member": ["fly"] } });
    let refused = does(&mut company.bob, "create-role", boss).await;
    let refused = refused.refused(403, "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE");
    assert_eq!(refused.json()["missingPermissions"], json!(["member:fly", "organization:delete"]));
    does(&mut company.bob, "create-role", recruiter()).await.assert(StatusCode::OK);
    let more = json!({ "roleName": "recruiter", "data": { "permission": { "organization": ["delete"] } } });
    let refused = does(&mut company.bob, "update-role", more).await;
    let refused = refused.refused(403, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE");
    assert_eq!(refused.json()["missingPermissions"], json!(["organization:delete"]));
    let unknown = json!({ "role": "x", "permission": { "house": ["enter"] } });
    does(&mut company.ada, "create-role", unknown).await.refused(400, "INVALID_RESOURCE");
    for (what, body, code) in [
        ("create-role", recruiter(), "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE"),
        (
            "update-role",
            json!({ "roleName": "recruiter", "data": { "roleName": "mine" } }),
            "YOU_ARE_NOT_ALLOWED_TO_UPDATE_A_ROLE",
        ),
        ("delete-role", json!({ "roleName": "recruiter" }), "YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE"),
    ] {
        let mut body = body;
        body["role"] = json!("another");
        does(&mut company.carl, what, body).await.refused(403, code);
    }
}

#[tokio::test]
// spec: ORG-2
async fn a_name_is_taken_once() {
    let mut company = company().await;
    for name in ["owner", "Member", " ADMIN "] {
        let body = json!({ "role": name, "permission": {} });
        does(&mut company.ada, "create-role", body).await.refused(400, "ROLE_NAME_IS_ALREADY_TAKEN");
    }
    for name in ["", "  ", "a,b", "x,owner"] {
        let body = json!({ "role": name, "permission": {} });
        does(&mut company.ada, "create-role", body).await.refused(400, "VALIDATION_ERROR");
    }
    let tasks: Vec<_> = ["recruiter", "RECRUITER", " Recruiter", "recruiter", "reCruiter"]
        .into_iter()
        .map(|name| {
            let mut ada = company.ada.clone();
            let mut body = recruiter();
            body["role"] = json!(name);
            tokio::spawn(async move { does(&mut ada, "create-role", body).await })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        match answer.status.is_success() {
            true => made += 1,
            false => {
                answer.refused(400, "ROLE_NAME_IS_ALREADY_TAKEN");
            }
        }
    }
    assert_eq!(made, 1);
    let lead = json!({ "role": "lead", "permission": { "team": ["create"] } });
    does(&mut company.ada, "create-role", lead).await.assert(StatusCode::OK);
    let rename = |name: &str| json!({ "roleName": "lead", "data": { "roleName": name } });
    for name in ["recruiter", "owner"] {
        does(&mut company.ada, "update-role", rename(name)).await.refused(400, "ROLE_NAME_IS_ALREADY_TAKEN");
    }
    does(&mut company.ada, "update-role", json!({ "roleName": "lead", "data": {} }))
        .await
        .refused(400, "NO_DATA_TO_UPDATE");
    let scout = does(&mut company.ada, "update-role", rename("Scout")).await.assert(StatusCode::OK).json();
    assert_eq!(scout["roleData"]["role"], "scout");
}

#[tokio::test]
// spec: ORG-1, ORG-2
async fn there_are_as_many_roles_as_the_options_allow() {
    let company = Company::of(with(Limit::Number(2))).await;
    let tasks: Vec<_> = (0..5)
        .map(|number| {
            let mut ada = company.ada.clone();
            let body = json!({ "role": format!("role{number}"), "permission": {} });
            tokio::spawn(async move { does(&mut ada, "create-role", body).await })
        })
        .collect();
    let mut made = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        match answer.status.is_success() {
            true => made += 1,
            false => {
                answer.refused(400, "TOO_MANY_ROLES");
            }
        }
    }
    assert_eq!(made, 2);
}

#[tokio::test]
// spec: ORG-1
async fn without_an_access_control_no_role_is_made() {
    let organizations =
        OrganizationOptions { dynamic_roles: Some(DynamicRoles::default()), ..Default::default() };
    let mut company = Company::of(engine(options(), organizations)).await;
    does(&mut company.ada, "create-role", recruiter()).await.refused(501, "MISSING_AC_INSTANCE");
    let change = json!({ "roleName": "recruiter", "data": { "permission": {} } });
    does(&mut company.ada, "update-role", change).await.refused(501, "MISSING_AC_INSTANCE");
    assert_eq!(asks(&mut company.ada, "list-roles").await.assert(StatusCode::OK).json(), json!([]));
}

#[tokio::test]
// spec: ORG-1
async fn a_stored_role_of_a_name_that_the_options_have_adds_to_it() {
    let mut company = company().await;
    let table = company.test.engine.schema().table("organizationRole").unwrap().clone();
    let row = housekey_engine::Record::new()
        .with("id", "r1")
        .with("organizationId", &company.acme)
        .with("role", "member")
        .with("permission", r#"{"invitation":["create"]}"#)
        .with("createdAt", company.test.clock.now());
    company.test.storage.create(&table, &row).await.unwrap();
    assert!(may(&mut company.carl, json!({ "invitation": ["create"], "ac": ["read"] })).await);
    // What cannot be read allows nothing, and breaks nothing.
    let row = row.with("id", "r2").with("role", "admin").with("permission", "no json");
    company.test.storage.create(&table, &row).await.unwrap();
    assert!(may(&mut company.bob, json!({ "member": ["create"] })).await);
    assert!(!may(&mut company.mallory, json!({ "house": ["enter"] })).await);
}

#[tokio::test]
// spec: ORG-1
async fn the_roles_of_another_organisation_are_out_of_reach() {
    let mut company = company().await;
    let made = does(&mut company.ada, "create-role", recruiter()).await.assert(StatusCode::OK).json();
    let id = text(&made["roleData"]["id"]);
    let (acme, evil) = (company.acme.clone(), company.evil.clone());
    let eve = &mut company.mallory;
    for (organization, status, code) in
        [(&evil, 400, "ROLE_NOT_FOUND"), (&acme, 403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION")]
    {
        let data = json!({ "permission": { "ac": ["read"] } });
        let body = json!({ "roleId": id, "organizationId": organization, "data": data });
        does(eve, "update-role", body).await.refused(status, code);
        let body = json!({ "roleId": id, "organizationId": organization });
        does(eve, "delete-role", body).await.refused(status, code);
        let path = format!("get-role?roleId={id}&organizationId={organization}");
        asks(eve, &path).await.refused(status, code);
    }
    let mut body = recruiter();
    body["organizationId"] = json!(acme);
    does(eve, "create-role", body).await.refused(403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
    asks(eve, &format!("list-roles?organizationId={acme}"))
        .await
        .refused(403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
    assert_eq!(asks(eve, "list-roles").await.assert(StatusCode::OK).json(), json!([]));
    // A role of one organisation is no role in another.
    let invite = json!({ "email": "eve@example.com", "role": "recruiter" });
    assert_eq!(does(eve, "invite-member", invite).await.status, StatusCode::BAD_REQUEST);
}

#[tokio::test]
// spec: ORG-1
async fn roles_build_on_the_access_control_of_the_app() {
    let access = AccessControl::new(default_statements().with("project", ["create", "archive"]))
        .role("owner", owner_statements().with("project", ["create", "archive"]))
        .unwrap()
        .role("admin", admin_statements())
        .unwrap()
        .role("member", member_statements())
        .unwrap();
    let organizations = OrganizationOptions {
        access: Some(access),
        dynamic_roles: Some(DynamicRoles::default()),
        ..Default::default()
    };
    let mut company = Company::of(engine(options(), organizations)).await;
    let body = json!({ "role": "archivist", "permission": { "project": ["archive"] } });
    does(&mut company.bob, "create-role", body.clone())
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_ROLE");
    does(&mut company.ada, "create-role", body).await.assert(StatusCode::OK);
    let give = json!({ "memberId": member_id(&company, "carl").await, "role": "archivist" });
    does(&mut company.ada, "update-member-role", give).await.assert(StatusCode::OK);
    assert!(may(&mut company.carl, json!({ "project": ["archive"] })).await);
    assert!(!may(&mut company.carl, json!({ "project": ["archive", "create"] })).await);
}

use super::*;
use housekey_engine::access::AccessControl;
use housekey_engine::plugins::OrganizationOptions;
use housekey_engine::plugins::api_key::{KeyFor, KeyOwner, OwnerKind};
use housekey_engine::plugins::organization::{default_statements, owner_statements};

/// Keys of users, and keys of organisations in which a role `keeper` sees to them.
fn house() -> TestEngine {
    let statements = default_statements().with("apiKey", ["create", "read", "update", "delete"]);
    let access = AccessControl::new(statements)
        .role("owner", owner_statements())
        .unwrap()
        .role("member", Statements::new().with("ac", ["read"]))
        .unwrap()
        .role("keeper", Statements::new().with("apiKey", ["create", "read"]))
        .unwrap()
        .role("reader", Statements::new().with("apiKey", ["read"]))
        .unwrap();
    let configurations = vec![
        ApiKeyConfig::default(),
        ApiKeyConfig {
            config_id: "organization".into(),
            references: OwnerKind::Organization,
            ..ApiKeyConfig::default()
        },
    ];
    let plugins = [
        organization(OrganizationOptions { access: Some(access), ..OrganizationOptions::default() }),
        api_key::api_key(ApiKeyOptions { configurations, ..ApiKeyOptions::default() }),
    ];
    TestEngine::new(Engine::builder(options()).plugins(plugins))
}

async fn founded(browser: &mut Browser) -> String {
    let body = json!({ "name": "Acme", "slug": "acme" });
    let answer = browser.post("/organization/create", body).await.assert(StatusCode::OK).json();
    text(&answer, "id").to_owned()
}

async fn joined(test: &TestEngine, name: &str, id: &str, role: &str) -> Browser {
    use housekey_engine::plugins::organization::{NewMember, OrganizationRef, add_member};
    let mut browser = person(test, name).await;
    let user_id = text(&browser.session().await["user"], "id").to_owned();
    let member = NewMember {
        user_id,
        roles: vec![role.to_owned()],
        organization: OrganizationRef::Id(id),
        team_id: None,
    };
    add_member(&mut test.engine.api(), member).await.unwrap();
    browser
}

// spec: KEY-4
#[tokio::test]
async fn a_key_of_an_organisation_is_the_organisation_s() {
    let test = house();
    let mut ada = test.ada().await;
    let id = founded(&mut ada).await;
    let body = json!({ "configId": "organization", "organizationId": id, "name": "build" });
    let answer = made(&mut ada, body).await;
    assert_eq!(answer["referenceId"], id.as_str());
    let shown = verified(&test, text(&answer, "key")).await.unwrap();
    let KeyOwner::Organization(owner) = &shown.owner else { panic!("{:?}", shown.owner) };
    assert_eq!((owner.slug.as_str(), shown.owner.user()), ("acme", None));
    assert_eq!(ada.get("/api-key/list").await.json()["total"], 0, "it is not hers");
    assert_eq!(ada.get(&format!("/api-key/list?organizationId={id}")).await.json()["total"], 1);
    let missing = ada.post("/api-key/create", json!({ "configId": "organization" })).await;
    assert_eq!(missing.assert(StatusCode::BAD_REQUEST).json()["code"], "ORGANIZATION_ID_REQUIRED");
}

// spec: KEY-4
#[tokio::test]
async fn members_see_to_keys_as_far_as_their_role_says() {
    let test = house();
    let mut ada = test.ada().await;
    let id = founded(&mut ada).await;
    let mut keeper = joined(&test, "kim", &id, "keeper").await;
    let mut member = joined(&test, "max", &id, "member").await;
    let mut stranger = person(&test, "eve").await;
    let body = json!({ "configId": "organization", "organizationId": id });
    let key = made(&mut keeper, body.clone()).await;
    let key_id = text(&key, "id");

    let list = format!("/api-key/list?organizationId={id}");
    keeper.get(&list).await.assert(StatusCode::OK);
    let denied = keeper.post("/api-key/delete", json!({ "keyId": key_id, "configId": "organization" })).await;
    assert_eq!(denied.assert(StatusCode::FORBIDDEN).json()["code"], "INSUFFICIENT_API_KEY_PERMISSIONS");
    for (person, code) in [
        (&mut member, "INSUFFICIENT_API_KEY_PERMISSIONS"),
        (&mut stranger, "USER_NOT_MEMBER_OF_ORGANIZATION"),
    ] {
        assert_eq!(person.get(&list).await.assert(StatusCode::FORBIDDEN).json()["code"], code);
        let made = person.post("/api-key/create", body.clone()).await;
        assert_eq!(made.assert(StatusCode::FORBIDDEN).json()["code"], code);
        for path in ["/api-key/update", "/api-key/delete"] {
            let change = json!({ "keyId": key_id, "configId": "organization", "name": "mine" });
            assert_eq!(person.post(path, change).await.assert(StatusCode::FORBIDDEN).json()["code"], code);
            // Not by way of the other kind either.
            let change = json!({ "keyId": key_id, "name": "mine" });
            person.post(path, change).await.assert(StatusCode::NOT_FOUND);
        }
    }
    let change = json!({ "keyId": key_id, "configId": "organization", "name": "build" });
    assert_eq!(ada.post("/api-key/update", change).await.assert(StatusCode::OK).json()["name"], "build");
}

// spec: ORG-3, KEY-4
#[tokio::test]
async fn the_keys_of_an_organisation_end_with_it() {
    let test = house();
    let mut ada = test.ada().await;
    let id = founded(&mut ada).await;
    let wanted = NewApiKey { config_id: Some("organization".into()), ..NewApiKey::default() };
    let key = api_key::create_for(&test.engine.api(), KeyFor::Organization(&id), wanted).await.unwrap().key;
    assert!(verified(&test, key.reveal()).await.is_ok());
    ada.post("/organization/delete", json!({ "organizationId": id })).await.assert(StatusCode::OK);
    assert_eq!(refused(&test, key.reveal()).await, "INVALID_API_KEY");
}

#[tokio::test]
async fn without_organisations_there_are_no_keys_of_theirs() {
    let config = ApiKeyConfig { references: OwnerKind::Organization, ..ApiKeyConfig::default() };
    let keys = api_key::api_key(ApiKeyOptions { configurations: vec![config], ..ApiKeyOptions::default() });
    let test = TestEngine::new(Engine::builder(options()).plugins([keys]));
    let mut ada = test.ada().await;
    let answer = ada.post("/api-key/create", json!({ "organizationId": "o1" })).await;
    assert_eq!(
        answer.assert(StatusCode::INTERNAL_SERVER_ERROR).json()["code"],
        "ORGANIZATION_PLUGIN_REQUIRED"
    );
    assert_eq!(refused(&test, "anything").await, "INVALID_API_KEY");
}

/// Where ids are numbers, the first user and the first organisation have the same one.
// spec: KEY-4
#[tokio::test]
async fn a_key_of_an_organisation_is_never_that_of_a_user_with_the_same_id() {
    let test = house();
    let id = text(&test.ada().await.session().await["user"], "id").to_owned();
    let wanted = NewApiKey { config_id: Some("organization".into()), ..NewApiKey::default() };
    let made = api_key::create_for(&test.engine.api(), KeyFor::Organization(&id), wanted).await.unwrap();
    assert_eq!(refused(&test, made.key.reveal()).await, "INVALID_API_KEY");
}

#[tokio::test]
async fn who_may_look_at_the_keys_of_an_organisation_neither_makes_nor_changes_any() {
    let test = house();
    let mut ada = test.ada().await;
    let organization = founded(&mut ada).await;
    let wanted = json!({ "configId": "organization", "organizationId": organization });
    let id = text(&made(&mut ada, wanted.clone()).await, "id").to_owned();
    let mut reader = joined(&test, "rita", &organization, "reader").await;
    let seen = reader.get(&format!("/api-key/get?id={id}&configId=organization")).await;
    seen.assert(StatusCode::OK);
    for (path, body) in [
        ("/api-key/create", wanted),
        ("/api-key/update", json!({ "keyId": id, "configId": "organization", "enabled": false })),
        ("/api-key/delete", json!({ "keyId": id, "configId": "organization" })),
    ] {
        reader.post(path, body).await.refused(403, "INSUFFICIENT_API_KEY_PERMISSIONS");
    }
    assert_eq!(test.rows("apikey").await.len(), 1);
}

use serde_json::{Value, json};

use super::{Auth, Bench, Case, check, person, tokens};
use crate::social::{CognitoPool, FakeProviders, OAuth2Endpoints, Provider, SocialProviders, TokenSet};

const TENANT: &str = "11111111-2222-3333-4444-555555555555";

fn standard() -> Value {
    json!({
        "sub": "s-1", "name": "Ada", "email": "ada@example.com", "email_verified": true,
        "picture": "https://example.com/ada.png",
    })
}

fn plain(id: &str) -> Provider {
    let endpoints = OAuth2Endpoints {
        authorization: "https://example.com/authorize".into(),
        token: "https://example.com/token".into(),
        user_info: "https://example.com/me".into(),
    };
    Provider::oauth2(id, endpoints, "id", "secret")
}

#[tokio::test]
// spec: SOC-8
async fn the_presets_are_asked_and_read_as_by_the_reference() {
    let (name, email, image) = (Some("Ada"), Some("ada@example.com"), Some("https://example.com/ada.png"));
    check(vec![
        Case {
            provider: plain("example").scope("profile"),
            authorization: "https://example.com/authorize?response_type=code&client_id=id&scope=profile",
            pkce: true,
            token: "https://example.com/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://example.com/me",
                json!({ "id": 4, "sub": "another", "name": "Ada", "email": "ada@example.com", "picture": image }),
            )],
            person: ("4", name, email, image, false),
        },
        Case {
            provider: Provider::microsoft_entra_id(TENANT, "id", "secret"),
            authorization: "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/oauth2/v2.0/authorize\
                            ?response_type=code&client_id=id&scope=openid profile email",
            pkce: true,
            token: "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/oauth2/v2.0/token",
            auth: Auth::Post,
            claims: Some(json!({ "sub": "s-1", "oid": "o-1", "given_name": "Ada" })),
            answers: vec![(
                "https://graph.microsoft.com/oidc/userinfo",
                json!({ "sub": "somebody else", "email": "bob@example.com", "picture": "https://example.com/bob.png" }),
            )],
            person: ("o-1", name, Some("o-1@microsoft-entra-id.placeholder.invalid"), None, false),
        },
        Case {
            provider: Provider::microsoft_entra_id(TENANT, "id", "secret"),
            authorization: "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/oauth2/v2.0/authorize\
                            ?response_type=code&client_id=id&scope=openid profile email",
            pkce: true,
            token: "https://login.microsoftonline.com/11111111-2222-3333-4444-555555555555/oauth2/v2.0/token",
            auth: Auth::Post,
            claims: Some(json!({ "sub": "s-1", "oid": "o-1", "email_verified": true })),
            answers: vec![(
                "https://graph.microsoft.com/oidc/userinfo",
                json!({ "sub": "s-1", "email": "ada@example.com", "givenname": "Ada", "picture": image }),
            )],
            person: ("o-1", name, email, image, true),
        },
        Case {
            provider: Provider::slack_openid("id", "secret"),
            authorization: "https://slack.com/openid/connect/authorize?response_type=code&client_id=id\
                            &scope=openid profile email",
            pkce: true,
            token: "https://slack.com/api/openid.connect.token",
            auth: Auth::Post,
            claims: None,
            answers: vec![("https://slack.com/api/openid.connect.userInfo", standard())],
            person: ("s-1", name, email, image, true),
        },
        Case {
            provider: Provider::hubspot("id", "secret"),
            authorization: "https://app.hubspot.com/oauth/authorize?response_type=code&client_id=id&scope=oauth",
            pkce: true,
            token: "https://api.hubapi.com/oauth/v1/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.hubapi.com/oauth/v1/access-tokens/the%20access%20token",
                json!({ "user": "ada@example.com", "user_id": 6, "token": "the access token" }),
            )],
            person: ("6", email, email, None, false),
        },
        Case {
            provider: Provider::patreon("id", "secret"),
            authorization: "https://www.patreon.com/oauth2/authorize?response_type=code&client_id=id&scope=identity[email]",
            pkce: true,
            token: "https://www.patreon.com/api/oauth2/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://www.patreon.com/api/oauth2/v2/identity\
                 ?fields%5Buser%5D=email,full_name,image_url,is_email_verified",
                json!({ "data": { "id": "9", "attributes": {
                    "full_name": "Ada", "email": "ada@example.com", "image_url": image, "is_email_verified": true,
                } } }),
            )],
            person: ("9", name, email, image, true),
        },
        Case {
            provider: Provider::gumroad("id", "secret"),
            authorization: "https://gumroad.com/oauth/authorize?response_type=code&client_id=id&scope=view_profile",
            pkce: true,
            token: "https://api.gumroad.com/oauth/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://api.gumroad.com/v2/user",
                json!({ "success": true, "user": {
                    "user_id": "g-1", "name": "Ada", "email": "ada@example.com", "profile_url": image,
                } }),
            )],
            person: ("g-1", name, email, image, false),
        },
        Case {
            provider: Provider::yandex("id", "secret"),
            authorization: "https://oauth.yandex.com/authorize?response_type=code&client_id=id\
                            &scope=login:info login:email login:avatar",
            pkce: true,
            token: "https://oauth.yandex.com/token",
            auth: Auth::Post,
            claims: None,
            answers: vec![(
                "https://login.yandex.ru/info?format=json",
                json!({
                    "id": "1", "login": "ada", "display_name": "Ada", "default_email": "ada@example.com",
                    "is_avatar_empty": false, "default_avatar_id": "131652443",
                }),
            )],
            person: (
                "1",
                name,
                email,
                Some("https://avatars.yandex.net/get-yapic/131652443/islands-200"),
                false,
            ),
        },
    ])
    .await;
}

#[tokio::test]
async fn presets_that_describe_themselves_are_found_by_discovery() {
    for (provider, document) in [
        (
            Provider::oidc("work", "https://id.example.com/", "id", "secret"),
            "https://id.example.com/.well-known/openid-configuration",
        ),
        (
            Provider::oidc(
                "work",
                "https://id.example.com/.well-known/oauth-authorization-server",
                "id",
                "secret",
            ),
            "https://id.example.com/.well-known/oauth-authorization-server",
        ),
        (
            Provider::auth0("https://example.eu.auth0.com", "id", "secret"),
            "https://example.eu.auth0.com/.well-known/openid-configuration",
        ),
        (
            Provider::okta("https://example.okta.com/oauth2/default", "id", "secret"),
            "https://example.okta.com/oauth2/default/.well-known/openid-configuration",
        ),
        (
            Provider::keycloak("https://id.example.com/realms/example", "id", "secret"),
            "https://id.example.com/realms/example/.well-known/openid-configuration",
        ),
    ] {
        let spec = provider.spec();
        assert_eq!(spec.discovery.unwrap().url, document);
        let scopes: Vec<String> = spec.scopes.into_iter().chain(provider.settings.scope.clone()).collect();
        assert_eq!(scopes, ["openid", "profile", "email"]);

        let description = json!({
            "issuer": "https://issuer.example", "authorization_endpoint": "https://issuer.example/authorize",
            "token_endpoint": "https://issuer.example/token", "userinfo_endpoint": "https://issuer.example/me",
            "jwks_uri": "https://issuer.example/keys", "id_token_signing_alg_values_supported": ["RS256"],
        });
        let fakes =
            FakeProviders::new().json(document, description).json("https://issuer.example/me", standard());
        let id = provider.id.clone();
        let bench = Bench::new(provider, fakes);
        let ready = bench.social.ready(&id).await.unwrap();
        assert_eq!(ready.spec.token_endpoint, "https://issuer.example/token");
        assert!(ready.sends_nonce());
        let profile =
            bench.social.profile_of_verified(&ready, &tokens(), Some(&standard()), None).await.unwrap();
        assert_eq!(profile.user.id, "s-1");
        assert!(profile.user.email_verified);
    }
}

#[tokio::test]
async fn a_plain_provider_that_sends_an_id_token_is_read_by_its_subject() {
    let claims = json!({ "aud": "id", "sub": "s-1", "id": "not this", "email": "ada@example.com" });
    let bench = Bench::new(plain("example"), FakeProviders::new());
    let profile = bench.profile(&TokenSet::default(), Some(&claims)).await.unwrap();
    assert_eq!(person(&profile.user), ("s-1", None, Some("ada@example.com"), None, false));
}

#[test]
// spec: SOC-1
fn a_provider_without_its_place_does_not_exist() {
    for provider in [
        Provider::oidc("work", "", "id", "secret"),
        Provider::auth0("", "id", "secret"),
        Provider::okta("", "id", "secret"),
        Provider::keycloak("", "id", "secret"),
        Provider::cognito(CognitoPool::default(), "id", "secret"),
    ] {
        assert!(provider.is_unset(), "{}", provider.id);
    }
    // Written down without it, nobody is sent anywhere.
    let written = json!({ "cognito": { "clientId": "id" }, "auth0": { "clientId": "id" } });
    let providers: SocialProviders = serde_json::from_value(written).unwrap();
    assert_eq!(providers.get("cognito").unwrap().spec().authorization_endpoint, "");
    assert_eq!(providers.get("auth0").unwrap().spec().discovery.unwrap().url, "");
}

#[test]
fn an_entra_tenant_that_is_none_lets_nobody_in() {
    for tenant in ["common", "organizations", "consumers", "", "example.onmicrosoft.com", "1111-2222"] {
        let spec = Provider::microsoft_entra_id(tenant, "id", "secret").spec();
        assert_eq!(
            (spec.authorization_endpoint.as_str(), spec.token_endpoint.as_str()),
            ("", ""),
            "{tenant}"
        );
    }
}

#[test]
// spec: SOC-8
fn every_kind_can_be_written_down_by_its_name() {
    let names = "apple atlassian cloudflare cognito discord dropbox facebook figma github gitlab google huggingface kakao \
                 kick line linear linkedin microsoft naver notion paybin paypal polar railway reddit roblox salesforce \
                 slack spotify tiktok twitch twitter vercel vk wechat zoom auth0 okta keycloak microsoft-entra-id hubspot \
                 patreon gumroad yandex";
    let names: Vec<&str> = names.split_whitespace().collect();
    assert_eq!(names.len(), 36 + 8);
    for name in &names {
        let written = json!({ *name: {
            "clientId": "id", "clientSecret": "secret", "tenantId": TENANT, "issuer": "https://id.example.com",
            "domain": "id.example.com", "region": "eu", "userPoolId": "pool",
        } });
        let providers: SocialProviders = serde_json::from_value(written).unwrap();
        let provider = providers.get(name).unwrap();
        assert_eq!(provider.kind().id, *name);
        let spec = provider.spec();
        let is_complete = spec.discovery.is_some()
            || spec.authorization_endpoint.starts_with("https://")
                && spec.token_endpoint.starts_with("https://");
        assert!(is_complete, "{name}");
        // And back, with everything that was said.
        let again: SocialProviders =
            serde_json::from_value(serde_json::to_value(&providers).unwrap()).unwrap();
        let again = again.get(name).unwrap();
        assert_eq!(again.settings.other, provider.settings.other);
        assert_eq!(again.client_secret, provider.client_secret);
    }
    let tiktok = json!({ "tiktok": { "clientKey": "key", "clientSecret": "secret" } });
    let tiktok: SocialProviders = serde_json::from_value(tiktok).unwrap();
    assert_eq!(tiktok.get("tiktok").unwrap().client_id(), "key");
}

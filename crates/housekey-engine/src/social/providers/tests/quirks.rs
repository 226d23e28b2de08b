use data_encoding::{BASE64, BASE64URL_NOPAD};
use http::{HeaderMap, StatusCode};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, UnparsedPublicKey,
};
use serde_json::{Value, json};

use super::{Bench, person, tokens};
use crate::http_client::{HttpError, HttpResponse};
use crate::social::providers::ALL;
use crate::social::{AppleKey, FakeProviders, Grant, Profile, Provider, ProviderKind, SocialError, TokenSet};

async fn from_claims(provider: Provider, claims: &Value) -> Result<Profile, SocialError> {
    Bench::new(provider, FakeProviders::new()).profile(&tokens(), Some(claims)).await
}

async fn from_user_info(provider: Provider, answer: Value) -> Result<Profile, SocialError> {
    let url = provider.spec().user_info_endpoint.unwrap();
    let place = url.split('?').next().unwrap();
    Bench::new(provider, FakeProviders::new().json(place, answer)).profile(&tokens(), None).await
}

#[tokio::test]
async fn discord_pictures_follow_the_rules_of_discord() {
    for (avatar, discriminator, id, expected) in [
        (json!("a_77"), json!("0"), "80351110224678912", "avatars/80351110224678912/a_77.gif"),
        (json!("77"), json!("0"), "80351110224678912", "avatars/80351110224678912/77.png"),
        // (80351110224678912 >> 22) % 6
        (Value::Null, json!("0"), "80351110224678912", "embed/avatars/5.png"),
        (Value::Null, json!("1337"), "80351110224678912", "embed/avatars/2.png"),
        (Value::Null, json!("0"), "18446744073709551615", "embed/avatars/3.png"),
    ] {
        let answer = json!({ "id": id, "username": "ada", "avatar": avatar, "discriminator": discriminator });
        let profile = from_user_info(Provider::discord("id", "secret"), answer).await.unwrap();
        assert_eq!(profile.user.image.unwrap(), format!("https://cdn.discordapp.com/{expected}"));
    }
    // Numbers that are none: no picture, and nothing worse.
    for (id, discriminator) in
        [("ada", json!("0")), ("99999999999999999999999", json!("0")), ("1", json!("x"))]
    {
        let answer = json!({ "id": id, "avatar": null, "discriminator": discriminator });
        let profile = from_user_info(Provider::discord("id", "secret"), answer).await.unwrap();
        assert_eq!(profile.user.image, None);
    }
}

#[tokio::test]
async fn github_takes_the_public_address_the_primary_one_or_the_first() {
    let two = json!([
        { "email": "first@example.com", "primary": false, "verified": false },
        { "email": "main@example.com", "primary": true, "verified": true },
    ]);
    let none_primary =
        json!([{ "email": "first@example.com", "verified": true }, { "email": "b@example.com" }]);
    for (public, emails, expected, verified) in [
        (json!(null), two.clone(), Some("main@example.com"), true),
        (json!("first@example.com"), two.clone(), Some("first@example.com"), false),
        (json!("other@example.com"), two, Some("other@example.com"), false),
        (json!(null), none_primary, Some("first@example.com"), true),
        (json!(null), json!([]), None, false),
        (json!(null), json!({ "message": "Not Found" }), None, false),
        (json!(7), json!([7, null, {}]), None, false),
    ] {
        let fakes = FakeProviders::new()
            .json("https://api.github.com/user", json!({ "id": 7, "login": "ada", "email": public }))
            .json("https://api.github.com/user/emails", emails);
        let bench = Bench::new(Provider::github("id", "secret"), fakes);
        let user = bench.profile(&tokens(), None).await.unwrap().user;
        assert_eq!((user.email.as_deref(), user.email_verified), (expected, verified));
    }
    // When the addresses cannot be asked for, the public one is there but counts as not proved.
    let fakes = FakeProviders::new()
        .json("https://api.github.com/user", json!({ "id": 7, "login": "ada", "email": "ada@example.com" }));
    let user =
        Bench::new(Provider::github("id", "secret"), fakes).profile(&tokens(), None).await.unwrap().user;
    assert_eq!(person(&user), ("7", Some("ada"), Some("ada@example.com"), None, false));
}

#[tokio::test]
async fn x_without_a_confirmed_address_gets_a_placeholder() {
    let fakes = FakeProviders::new().answer("https://api.x.com/2/users/me", |request| {
        if request.url.ends_with("confirmed_email") {
            return Err(HttpError::unreachable("not for this app"));
        }
        let answer = json!({ "data": { "id": "9 @x", "name": "Ada", "username": "ada", "email": "ada" } });
        Ok(HttpResponse::of_json(StatusCode::OK, &answer))
    });
    let user =
        Bench::new(Provider::twitter("id", "secret"), fakes).profile(&tokens(), None).await.unwrap().user;
    assert_eq!(person(&user), ("9 @x", Some("Ada"), Some("9--x@twitter.placeholder.invalid"), None, false));
}

#[test]
// spec: SOC-4
fn microsoft_takes_tokens_of_the_tenants_it_is_told_only() {
    let personal = "9188040d-6c67-4c5b-b112-36a304b66dad";
    let (ours, theirs) = ("11111111-2222-3333-4444-555555555555", "66666666-7777-8888-9999-000000000000");
    let login = "https://login.microsoftonline.com";
    for (tenant, tid, is_taken) in [
        (None, personal, true),
        (None, ours, true),
        (Some("common"), theirs, true),
        (Some("organizations"), ours, true),
        (Some("organizations"), personal, false),
        (Some("consumers"), personal, true),
        (Some("consumers"), ours, false),
        (Some(ours), ours, true),
        (Some(ours), theirs, false),
        (Some(ours), "", false),
    ] {
        let provider = Provider::microsoft("id", "secret");
        let provider = if let Some(tenant) = tenant { provider.tenant(tenant) } else { provider };
        let spec = provider.spec().id_token.unwrap();
        let iss = format!("{login}/{tid}/v2.0");
        let by_check = (spec.check)(&provider, &json!({ "iss": iss, "tid": tid })).is_ok();
        let by_issuer = spec.issuers.is_empty() || spec.issuers.contains(&iss);
        assert_eq!(by_check && by_issuer, is_taken, "{tenant:?} {tid}");
        // An issuer that is not that of the tenant the token names.
        let iss = format!("{login}/{theirs}/v2.0");
        if tid != theirs {
            assert!((spec.check)(&provider, &json!({ "iss": iss, "tid": tid })).is_err());
        }
        assert!((spec.check)(&provider, &json!({ "iss": 5, "tid": [tid] })).is_err());
    }
}

#[tokio::test]
async fn microsoft_reads_the_person_and_the_photo() {
    let claims = json!({ "sub": "s-1", "oid": "o-1", "name": "Ada", "email": "ada@example.com" });
    let url = "https://graph.microsoft.com/v1.0/me/photos/48x48/$value";
    let fakes = FakeProviders::new().answer(url, |_| {
        Ok(HttpResponse { status: StatusCode::OK, headers: HeaderMap::new(), body: "jpeg".into() })
    });
    let bench = Bench::new(Provider::microsoft("id", "secret"), fakes);
    let profile = bench.profile(&tokens(), Some(&claims)).await.unwrap();
    let photo = Some("data:image/jpeg;base64, anBlZw==");
    assert_eq!(person(&profile.user), ("o-1", Some("Ada"), Some("ada@example.com"), photo, false));
    assert_eq!(profile.user.former_id.as_deref(), Some("s-1"), "rows of before are known by `sub`");

    // Without a photo, a person all the same. Without `oid`, nobody.
    let without_photo = from_claims(Provider::microsoft("id", "secret"), &claims).await.unwrap();
    assert_eq!(without_photo.user.image, None);
    let without_oid = json!({ "sub": "s-1", "email": "ada@example.com" });
    assert!(from_claims(Provider::microsoft("id", "secret"), &without_oid).await.is_err());

    for (extra, verified) in [
        (json!({ "email_verified": true }), true),
        (json!({ "email_verified": false, "verified_primary_email": ["ada@example.com"] }), false),
        (json!({ "verified_primary_email": ["ada@example.com"] }), true),
        (json!({ "verified_primary_email": ["bob@example.com"] }), false),
        (json!({ "verified_primary_email": "ada@example.com" }), false),
        (json!({ "email_verified": 1 }), false),
        (json!({ "email_verified": null, "verified_primary_email": ["ada@example.com"] }), false),
    ] {
        let mut claims = claims.clone();
        claims.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
        let user = from_claims(Provider::microsoft("id", "secret"), &claims).await.unwrap().user;
        assert_eq!(user.email_verified, verified, "{extra}");
    }
}

#[tokio::test]
async fn a_refresh_at_microsoft_asks_for_the_same_scopes() {
    let token_url = "https://login.microsoftonline.com/common/oauth2/v2.0/token";
    let fakes = FakeProviders::new().json(token_url, json!({ "access_token": "at" }));
    let bench = Bench::new(Provider::microsoft("id", "").scope("Mail.Read"), fakes);
    bench.social.exchange(&bench.ready, Grant::Refresh(&"rt".into())).await.unwrap();
    let request = bench.last_request();
    let scope = request.field("scope").unwrap();
    assert_eq!(scope, "openid profile email User.Read offline_access Mail.Read");
    // A public client sends its id and no secret.
    assert_eq!((request.field("client_id").as_deref(), request.field("client_secret")), (Some("id"), None));
}

/// A key as Apple gives it, and its public half.
fn apple_key() -> (AppleKey, Vec<u8>) {
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let pair =
        EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
    let text = BASE64.encode(document.as_ref());
    let lines: Vec<&str> =
        text.as_bytes().chunks(64).map(|line| std::str::from_utf8(line).unwrap()).collect();
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{}\n-----END PRIVATE KEY-----\n", lines.join("\n"));
    let key = AppleKey { team_id: "TEAM".into(), key_id: "KEY".into(), private_key_pem: pem.into() };
    (key, pair.public_key().as_ref().to_vec())
}

#[tokio::test]
async fn apples_client_secret_is_made_from_the_key_for_every_request() {
    let (key, public) = apple_key();
    let as_in_a_variable =
        AppleKey { private_key_pem: key.private_key_pem.reveal().replace('\n', "\\n").into(), ..key.clone() };
    for key in [key, as_in_a_variable] {
        let fakes = FakeProviders::new()
            .json("https://appleid.apple.com/auth/token", json!({ "access_token": "at" }));
        let bench = Bench::new(Provider::apple("com.example.web", key), fakes);
        assert!(bench.authorization().0.starts_with("https://appleid.apple.com/auth/authorize?"));
        bench.exchange(None).await.unwrap();
        bench.social.exchange(&bench.ready, Grant::Refresh(&"rt".into())).await.unwrap();
        let [code, refresh] = bench.fakes.requests().try_into().unwrap();
        let [code, refresh] = [code, refresh].map(|request| request.field("client_secret").unwrap());
        assert_ne!(code, refresh, "each request has a secret of its own");

        let (signed, signature) = code.rsplit_once('.').unwrap();
        let signature = BASE64URL_NOPAD.decode(signature.as_bytes()).unwrap();
        UnparsedPublicKey::new(&ECDSA_P256_SHA256_FIXED, &public)
            .verify(signed.as_bytes(), &signature)
            .unwrap();
        let (header, claims) = signed.split_once('.').unwrap();
        let read = |part: &str| -> Value {
            serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes()).unwrap()).unwrap()
        };
        assert_eq!(read(header), json!({ "alg": "ES256", "kid": "KEY" }));
        let claims = read(claims);
        assert_eq!(claims["iss"], "TEAM");
        assert_eq!(claims["sub"], "com.example.web");
        assert_eq!(claims["aud"], "https://appleid.apple.com");
        assert_eq!(claims["exp"].as_i64().unwrap() - claims["iat"].as_i64().unwrap(), 300);
    }
}

#[tokio::test]
async fn a_key_that_is_none_is_said_without_showing_it() {
    let wrong =
        |pem: &str| AppleKey { team_id: "TEAM".into(), key_id: "KEY".into(), private_key_pem: pem.into() };
    for key in [
        wrong("not a key"),
        wrong("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----"),
        AppleKey { team_id: String::new(), ..apple_key().0 },
    ] {
        let pem = key.private_key_pem.reveal().to_owned();
        let bench = Bench::new(Provider::apple("com.example.web", key), FakeProviders::new());
        let error = bench.exchange(None).await.unwrap_err();
        assert!(error.to_string().contains("Apple's") && !error.to_string().contains(&pem), "{error}");
        assert!(!format!("{:?}", bench.ready).contains(&pem));
        assert!(bench.fakes.requests().is_empty());
    }
}

#[tokio::test]
async fn apples_name_comes_with_the_form_and_only_once() {
    let claims = json!({ "sub": "a.1", "email": "ada@example.com", "email_verified": true });
    for (form, expected) in [
        (Some(json!({ "name": { "firstName": "Ada", "lastName": "Lovelace" } })), Some("Ada Lovelace")),
        (Some(json!({ "name": { "firstName": "Ada" } })), Some("Ada")),
        (Some(json!({ "name": "Ada" })), None),
        (Some(json!([1])), None),
        (None, None),
    ] {
        let bench = Bench::new(Provider::apple("id", "secret"), FakeProviders::new());
        let profile = bench
            .social
            .profile_of_verified(&bench.ready, &TokenSet::default(), Some(&claims), form.as_ref())
            .await
            .unwrap();
        assert_eq!(profile.user.name.as_deref(), expected);
        assert_eq!(profile.data["name"], expected.unwrap_or_default());
    }
}

#[test]
fn an_apple_app_and_its_site_are_both_audiences() {
    let provider =
        Provider::apple("com.example.web", "secret").with("appBundleIdentifier", "com.example.app");
    assert_eq!(provider.spec().id_token.unwrap().audiences, ["com.example.app", "com.example.web"]);
    assert!(Provider::apple("com.example.web", "secret").spec().id_token.unwrap().audiences.is_empty());
}

#[tokio::test]
// spec: SOC-5
async fn a_facebook_token_of_another_app_signs_nobody_in() {
    let me = json!({
        "id": "f-1", "name": "Ada", "email": "ada@example.com",
        "picture": { "data": { "url": "https://example.com/ada.png" } },
    });
    for (debug, is_taken) in [
        (json!({ "data": { "app_id": "id", "is_valid": true, "user_id": "f-1" } }), true),
        (json!({ "data": { "app_id": "id", "is_valid": true } }), false),
        (json!({ "data": { "app_id": "another", "is_valid": true, "user_id": "f-1" } }), false),
        (json!({ "data": { "app_id": "id", "is_valid": false, "user_id": "f-1" } }), false),
        (json!({ "data": { "app_id": "id", "is_valid": "true", "user_id": "f-1" } }), false),
        (json!({ "data": { "app_id": "id", "is_valid": true, "user_id": "f-2" } }), false),
        (json!({}), false),
        (json!(null), false),
    ] {
        let fakes = FakeProviders::new()
            .json("https://graph.facebook.com/debug_token", debug.clone())
            .json("https://graph.facebook.com/me", me.clone());
        let provider = Provider::facebook("id", "secret").with("fields", json!(["birthday"]));
        let bench = Bench::new(provider, fakes);
        let found = bench.profile(&tokens(), None).await;
        assert_eq!(found.is_ok(), is_taken, "{debug}");
        if let Ok(profile) = found {
            let image = Some("https://example.com/ada.png");
            assert_eq!(person(&profile.user), ("f-1", Some("Ada"), Some("ada@example.com"), image, false));
            let url = bench.last_request().url;
            assert_eq!(url, "https://graph.facebook.com/me?fields=id,name,email,picture,birthday");
        }
    }
}

#[tokio::test]
async fn wechat_exchanges_in_its_own_way() {
    let answer = json!({
        "access_token": "at", "expires_in": 7200, "refresh_token": "rt", "openid": "oA1", "scope": "snsapi_login,b",
    });
    let fakes = FakeProviders::new()
        .json("https://api.weixin.qq.com/sns/oauth2/access_token", answer.clone())
        .json("https://api.weixin.qq.com/sns/oauth2/refresh_token", answer);
    let bench = Bench::new(Provider::wechat("id", "secret"), fakes);
    let tokens = bench.exchange(None).await.unwrap();
    assert_eq!((tokens.scopes.join(" ").as_str(), &tokens.raw["openid"]), ("snsapi_login b", &json!("oA1")));
    let query = bench.last_request().url.split_once('?').unwrap().1.to_owned();
    assert_eq!(query, "appid=id&secret=secret&code=the+code&grant_type=authorization_code");
    bench.social.exchange(&bench.ready, Grant::Refresh(&"rt".into())).await.unwrap();
    let query = bench.last_request().url.split_once('?').unwrap().1.to_owned();
    assert_eq!(query, "appid=id&grant_type=refresh_token&refresh_token=rt");

    let refused = json!({ "errcode": 40029, "errmsg": "invalid code the code" });
    let fakes = FakeProviders::new().json("https://api.weixin.qq.com/sns/oauth2/access_token", refused);
    let error = Bench::new(Provider::wechat("id", "secret"), fakes).exchange(None).await.unwrap_err();
    assert_eq!(error.to_string(), "WeChat did not give tokens: errcode 40029");
}

#[tokio::test]
// spec: SOC-4
async fn paypals_user_info_is_about_the_person_of_the_id_token() {
    for (claims, answer, is_taken) in [
        (None, json!({ "user_id": "p-1" }), true),
        (Some(json!({ "sub": "p-1" })), json!({ "user_id": "p-1" }), true),
        (Some(json!({ "sub": "p-1" })), json!({ "sub": "p-1", "user_id": "x" }), true),
        (Some(json!({ "sub": "p-2" })), json!({ "user_id": "p-1" }), false),
        (Some(json!({})), json!({ "user_id": "p-1" }), false),
        (Some(json!({})), json!({}), false),
    ] {
        let place = "https://api-m.sandbox.paypal.com/v1/identity/oauth2/userinfo";
        let fakes = FakeProviders::new().json(place, answer);
        let bench = Bench::new(Provider::paypal("id", "secret"), fakes);
        let found = bench.profile(&tokens(), claims.as_ref()).await;
        assert_eq!(found.is_ok(), is_taken, "{claims:?}");
    }
}

#[tokio::test]
async fn vk_gets_its_device_id_back_and_notion_refreshes_by_post() {
    let fakes = FakeProviders::new().json("https://id.vk.com/oauth2/auth", json!({ "access_token": "at" }));
    let bench = Bench::new(Provider::vk("id", "secret"), fakes);
    bench.exchange(Some("a device")).await.unwrap();
    assert_eq!(bench.last_request().field("device_id").as_deref(), Some("a device"));

    let fakes =
        FakeProviders::new().json("https://api.notion.com/v1/oauth/token", json!({ "access_token": "at" }));
    let bench = Bench::new(Provider::notion("id", "secret"), fakes);
    bench.social.exchange(&bench.ready, Grant::Refresh(&"rt".into())).await.unwrap();
    assert_eq!(bench.last_request().field("client_secret").as_deref(), Some("secret"));
}

#[tokio::test]
async fn zoom_without_pkce_still_sends_the_verifier() {
    let fakes = FakeProviders::new().json("https://zoom.us/oauth/token", json!({ "access_token": "at" }));
    let mut provider = Provider::zoom("id", "secret");
    provider.settings.pkce = Some(false);
    let bench = Bench::new(provider, fakes);
    assert!(!bench.authorization().1);
    bench.exchange(None).await.unwrap();
    assert_eq!(bench.last_request().field("code_verifier").as_deref(), Some("ve"));
}

#[tokio::test]
async fn people_whom_gitlab_has_blocked_do_not_get_in() {
    for (state, locked, gets_in) in [
        (json!("active"), json!(false), true),
        (json!("active"), Value::Null, true),
        (json!("blocked"), json!(false), false),
        (json!("active"), json!(true), false),
        (Value::Null, json!(false), false),
    ] {
        let answer = json!({ "id": 1, "username": "ada", "state": state, "locked": locked });
        let found = from_user_info(Provider::gitlab("id", "secret"), answer).await;
        assert_eq!(found.is_ok(), gets_in, "{state} {locked}");
    }
}

#[tokio::test]
// spec: SOC-8
async fn nothing_shows_the_token_in_hubspots_address() {
    let token = "the%20access%20token";
    let url = format!("https://api.hubapi.com/oauth/v1/access-tokens/{token}");
    let fakes = FakeProviders::new().answer(&url, |_| {
        Ok(HttpResponse { status: StatusCode::NOT_FOUND, headers: HeaderMap::new(), body: "{}".into() })
    });
    let bench = Bench::new(Provider::hubspot("id", "secret"), fakes);
    let error = bench.profile(&tokens(), None).await.unwrap_err();
    let request = bench.last_request();
    assert_eq!(request.url, url);
    let shown = format!("{error} {error:?} {request:?}");
    assert!(!shown.contains("access%20token") && !shown.contains("access token"), "{shown}");

    let nobody = Bench::new(Provider::hubspot("id", "secret"), FakeProviders::new());
    let error = nobody.profile(&tokens(), None).await.unwrap_err();
    assert!(!format!("{error} {error:?}").contains("token/"), "{error}");
    assert!(!error.to_string().contains("access%20token"), "{error}");

    // Nor does the profile that is kept and shown.
    let answer = json!({ "user": "ada@example.com", "user_id": 6, "token": "the access token" });
    let bench = Bench::new(Provider::hubspot("id", "secret"), FakeProviders::new().json(&url, answer));
    let profile = bench.profile(&tokens(), None).await.unwrap();
    assert_eq!(profile.data, json!({ "user": "ada@example.com", "user_id": 6 }));
}

/// Answers of every shape but the right one.
fn lies() -> Vec<Value> {
    let fields = [
        "id",
        "sub",
        "oid",
        "user_id",
        "account_id",
        "name",
        "email",
        "picture",
        "data",
        "result",
        "response",
        "user",
        "bot",
        "images",
        "kakao_account",
        "success",
        "resultcode",
        "state",
        "avatar",
        "discriminator",
    ];
    let with = |value: Value| {
        Value::Object(fields.iter().map(|field| ((*field).to_owned(), value.clone())).collect())
    };
    vec![
        Value::Null,
        json!(true),
        json!(-1.5e300),
        json!("text"),
        json!([]),
        json!([[[]]]),
        json!({}),
        with(Value::Null),
        with(json!(7)),
        with(json!("")),
        with(json!("text")),
        with(json!(["text"])),
        with(json!({})),
        with(json!([{ "id": { "id": 1 }, "user": { "user_id": [] }, "url": 5 }])),
        with(json!({ "user": { "open_id": 5, "user_id": null }, "owner": { "user": 3 }, "viewer": [] })),
    ]
}

#[tokio::test]
// spec: SOC-8
async fn a_provider_that_lies_about_types_costs_an_error_at_most() {
    for kind in ALL {
        for lie in lies() {
            let answer = lie.clone();
            let bench = Bench::new(of_kind(kind), FakeProviders::new());
            // As claims, as every answer of every address, and as tokens.
            let _ = bench.profile(&tokens(), Some(&lie)).await;
            let client = Liar(answer);
            let call = crate::social::ProfileCall {
                client: &client,
                provider: &bench.ready.provider,
                spec: &bench.ready.spec,
                tokens: &tokens(),
                claims: None,
                form_user: Some(&lie),
            };
            if let crate::social::ProfileSource::Custom(fetch) = bench.ready.spec.profile
                && let Ok(Some(profile)) = fetch(call).await
            {
                assert!(!profile.user.id.is_empty(), "{}: {lie}", kind.id);
            }
            if let crate::social::ProfileSource::UserInfo { map, .. } = bench.ready.spec.profile
                && let Some(user) = map(&bench.ready.provider, &lie)
            {
                assert!(!user.id.is_empty(), "{}: {lie}", kind.id);
            }
            if let Some(spec) = &bench.ready.spec.id_token {
                let _ = (spec.check)(&bench.ready.provider, &lie);
            }
        }
    }
}

fn of_kind(kind: &'static ProviderKind) -> Provider {
    Provider::new(kind, "id", "secret").tenant("11111111-2222-3333-4444-555555555555")
}

/// Says the same to everybody.
struct Liar(Value);

impl crate::http_client::HttpClient for Liar {
    fn send(
        &self,
        _: crate::http_client::HttpRequest,
    ) -> crate::BoxFuture<'_, Result<HttpResponse, HttpError>> {
        Box::pin(async move { Ok(HttpResponse::of_json(StatusCode::OK, &self.0)) })
    }
}

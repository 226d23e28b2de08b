//! The providers by name: each lets somebody in, with the id, name, address and picture that the reference reads.

use data_encoding::BASE64URL_NOPAD;
use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::{Imitation, Internet, Key, Person, Places, Recorded, parameter};
use crate::social::{Social, come_back, social, social_where, start, with};
use crate::support::{Browser, ORIGIN, TestEngine};

/// A provider whose profile comes from addresses of its own.
struct Case {
    id: &'static str,
    token: &'static str,
    pages: Vec<(&'static str, Value)>,
    /// Account id, name, address, picture, whether the address is proven.
    person: (&'static str, &'static str, &'static str, Option<&'static str>, bool),
    pkce: bool,
    basic: bool,
}

impl Case {
    fn new(
        id: &'static str,
        token: &'static str,
        pages: Vec<(&'static str, Value)>,
        person: (&'static str, &'static str, &'static str, Option<&'static str>, bool),
    ) -> Self {
        Self { id, token, pages, person, pkce: false, basic: false }
    }

    fn pkce(self) -> Self {
        Self { pkce: true, ..self }
    }

    fn basic(self) -> Self {
        Self { basic: true, ..self }
    }
}

const PICTURE: &str = "https://pictures.test/ada.png";

fn cases() -> Vec<Case> {
    let ada = "ada@example.com";
    vec![
        Case::new(
            "github",
            "https://github.com/login/oauth/access_token",
            vec![
                (
                    "https://api.github.com/user",
                    json!({ "id": 7, "login": "ada", "name": null, "email": null, "avatar_url": PICTURE }),
                ),
                (
                    "https://api.github.com/user/emails",
                    json!([
                        { "email": "old@example.com", "primary": false, "verified": false },
                        { "email": ada, "primary": true, "verified": true },
                    ]),
                ),
            ],
            ("7", "ada", ada, Some(PICTURE), true),
        )
        .pkce(),
        Case::new(
            "gitlab",
            "https://gitlab.com/oauth/token",
            vec![(
                "https://gitlab.com/api/v4/user",
                json!({
                    "id": 7, "username": "ada", "name": "Ada", "email": ada, "avatar_url": PICTURE,
                    "state": "active", "locked": false,
                }),
            )],
            ("7", "Ada", ada, Some(PICTURE), false),
        )
        .pkce(),
        Case::new(
            "discord",
            "https://discord.com/api/oauth2/token",
            vec![(
                "https://discord.com/api/users/@me",
                json!({
                    "id": "80351110224678912", "username": "ada", "global_name": "Ada", "email": ada,
                    "verified": true, "avatar": "a_hash", "discriminator": "0",
                }),
            )],
            (
                "80351110224678912",
                "Ada",
                ada,
                Some("https://cdn.discordapp.com/avatars/80351110224678912/a_hash.gif"),
                true,
            ),
        ),
        Case::new(
            "facebook",
            "https://graph.facebook.com/v24.0/oauth/access_token",
            vec![
                (
                    "https://graph.facebook.com/debug_token",
                    json!({ "data": { "app_id": "facebook-client", "is_valid": true, "user_id": "7" } }),
                ),
                (
                    "https://graph.facebook.com/me",
                    json!({ "id": "7", "name": "Ada", "email": ada, "picture": { "data": { "url": PICTURE } } }),
                ),
            ],
            ("7", "Ada", ada, Some(PICTURE), false),
        ),
        Case::new(
            "twitter",
            "https://api.x.com/2/oauth2/token",
            vec![(
                "https://api.x.com/2/users/me",
                json!({ "data": {
                    "id": "7", "name": "Ada", "username": "ada", "profile_image_url": PICTURE, "confirmed_email": ada,
                } }),
            )],
            ("7", "Ada", ada, Some(PICTURE), true),
        )
        .pkce()
        .basic(),
        Case::new(
            "linkedin",
            "https://www.linkedin.com/oauth/v2/accessToken",
            vec![(
                "https://api.linkedin.com/v2/userinfo",
                json!({ "sub": "7", "name": "Ada", "email": ada, "picture": PICTURE, "email_verified": true }),
            )],
            ("7", "Ada", ada, Some(PICTURE), true),
        ),
        Case::new(
            "slack",
            "https://slack.com/api/openid.connect.token",
            vec![(
                "https://slack.com/api/openid.connect.userInfo",
                json!({
                    "ok": true, "sub": "another", "https://slack.com/user_id": "U7", "name": "Ada", "email": ada,
                    "email_verified": true, "https://slack.com/user_image_512": PICTURE,
                }),
            )],
            ("U7", "Ada", ada, Some(PICTURE), true),
        ),
        Case::new(
            "spotify",
            "https://accounts.spotify.com/api/token",
            vec![(
                "https://api.spotify.com/v1/me",
                json!({ "id": "7", "display_name": "Ada", "email": ada, "images": [{ "url": PICTURE }] }),
            )],
            ("7", "Ada", ada, Some(PICTURE), false),
        )
        .pkce(),
        Case::new(
            "notion",
            "https://api.notion.com/v1/oauth/token",
            vec![(
                "https://api.notion.com/v1/users/me",
                json!({ "bot": { "owner": { "user": {
                    "id": "7", "name": "Ada", "person": { "email": ada }, "avatar_url": PICTURE,
                } } } }),
            )],
            ("7", "Ada", ada, Some(PICTURE), false),
        )
        .basic(),
        Case::new(
            "zoom",
            "https://zoom.us/oauth/token",
            vec![(
                "https://api.zoom.us/v2/users/me",
                json!({ "id": "7", "display_name": "Ada", "email": ada, "pic_url": PICTURE, "verified": 1 }),
            )],
            ("7", "Ada", ada, Some(PICTURE), true),
        )
        .pkce(),
    ]
}

fn configured(id: &str) -> Social {
    social_where(|providers| {
        providers[id] = json!({ "clientId": format!("{id}-client"), "clientSecret": format!("{id}-secret") });
    })
}

#[tokio::test]
// spec: SOC-8
async fn each_provider_that_has_a_profile_page_lets_somebody_in() {
    for case in cases() {
        let id = case.id;
        let social = configured(id);
        let token = json!({ "access_token": "the token", "token_type": "bearer", "expires_in": 3600 });
        social.internet.publish(case.token, 200, token);
        for (url, document) in &case.pages {
            social.internet.publish(url, 200, document.clone());
        }
        let mut browser = social.browser();
        let page = start(&mut browser, id).await;
        assert_eq!(parameter(&page, "code_challenge").is_some(), case.pkce, "{id}: {page}");
        let state = parameter(&page, "state").unwrap();
        let answer = browser.get(&format!("/callback/{id}?code=c&state={state}")).await;
        assert_eq!(answer.location(), "/welcome", "{id}: {answer:?} {:?}", social.internet.lost());

        let user = browser.session().await["user"].clone();
        let (account, name, email, image, verified) = case.person;
        let expected = json!([name, email, image, verified]);
        assert_eq!(
            json!([user["name"], user["email"], user["image"], user["emailVerified"]]),
            expected,
            "{id}"
        );
        assert_eq!(social.account(id).await.text("accountId"), Some(account), "{id}");
        let asked: &Recorded = &social.internet.visits_to(case.token)[0];
        assert_eq!(asked.header("authorization").is_some(), case.basic, "{id}");
        assert_eq!(asked.form("client_secret").is_none(), case.basic, "{id}");
        assert!(social.internet.lost().is_empty(), "{id}: {:?}", social.internet.lost());
    }
}

#[tokio::test]
// spec: SOC-8
async fn each_provider_whose_profile_page_fails_lets_nobody_in() {
    for case in cases() {
        let id = case.id;
        let social = configured(id);
        social.internet.publish(case.token, 200, json!({ "access_token": "the token" }));
        for (url, _) in &case.pages {
            social.internet.publish(url, 500, json!({ "id": "7", "email": "ada@example.com" }));
        }
        let mut browser = social.browser();
        let page = start(&mut browser, id).await;
        let state = parameter(&page, "state").unwrap();
        let answer = browser.get(&format!("/callback/{id}?code=c&state={state}")).await;
        assert_eq!(answer.error().1.as_deref(), Some("unable_to_get_user_info"), "{id}: {answer:?}");
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
async fn github_refuses_a_code_with_status_200() {
    let social = configured("github");
    let token = "https://github.com/login/oauth/access_token";
    social.internet.publish(token, 200, json!({ "error": "bad_verification_code" }));
    let mut browser = social.browser();
    let page = start(&mut browser, "github").await;
    let state = parameter(&page, "state").unwrap();
    browser.get(&format!("/callback/github?code=c&state={state}")).await.assert_failed("invalid_code");
}

#[tokio::test]
async fn github_says_nothing_is_proven_when_it_does_not_list_addresses() {
    let social = configured("github");
    let json = json!({ "access_token": "the token" });
    social.internet.publish("https://github.com/login/oauth/access_token", 200, json);
    let user = json!({ "id": 7, "login": "ada", "email": "ada@example.com" });
    social.internet.publish("https://api.github.com/user", 200, user);
    social.internet.publish("https://api.github.com/user/emails", 404, json!({}));
    let mut browser = social.browser();
    let page = start(&mut browser, "github").await;
    let state = parameter(&page, "state").unwrap();
    browser.get(&format!("/callback/github?code=c&state={state}")).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["emailVerified"], false);
}

#[tokio::test]
async fn a_locked_account_of_gitlab_lets_nobody_in() {
    for (state, locked) in [("blocked", false), ("active", true)] {
        let social = configured("gitlab");
        social.internet.publish("https://gitlab.com/oauth/token", 200, json!({ "access_token": "t" }));
        let user =
            json!({ "id": 7, "email": "ada@example.com", "name": "Ada", "state": state, "locked": locked });
        social.internet.publish("https://gitlab.com/api/v4/user", 200, user);
        let mut browser = social.browser();
        let page = start(&mut browser, "gitlab").await;
        let state = parameter(&page, "state").unwrap();
        let answer = browser.get(&format!("/callback/gitlab?code=c&state={state}")).await;
        answer.assert_failed("unable_to_get_user_info");
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
async fn a_token_for_another_app_at_facebook_lets_nobody_in() {
    for debug in [
        json!({ "data": { "app_id": "another-app", "is_valid": true, "user_id": "7" } }),
        json!({ "data": { "app_id": "facebook-client", "is_valid": false, "user_id": "7" } }),
        json!({ "data": { "app_id": "facebook-client", "is_valid": true, "user_id": "8" } }),
    ] {
        let social = configured("facebook");
        let token = "https://graph.facebook.com/v24.0/oauth/access_token";
        social.internet.publish(token, 200, json!({ "access_token": "t" }));
        social.internet.publish("https://graph.facebook.com/debug_token", 200, debug);
        let me = json!({ "id": "7", "name": "Ada", "email": "ada@example.com" });
        social.internet.publish("https://graph.facebook.com/me", 200, me);
        let mut browser = social.browser();
        let page = start(&mut browser, "facebook").await;
        let state = parameter(&page, "state").unwrap();
        let answer = browser.get(&format!("/callback/facebook?code=c&state={state}")).await;
        answer.assert_failed("unable_to_get_user_info");
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
async fn somebody_at_x_without_an_address_gets_one_that_leads_nowhere() {
    let social = configured("twitter");
    social.internet.publish("https://api.x.com/2/oauth2/token", 200, json!({ "access_token": "t" }));
    let me = json!({ "data": { "id": "7", "name": "Ada", "username": "ada" } });
    social.internet.publish("https://api.x.com/2/users/me", 200, me);
    let mut browser = social.browser();
    let page = start(&mut browser, "twitter").await;
    let state = parameter(&page, "state").unwrap();
    browser.get(&format!("/callback/twitter?code=c&state={state}")).await.assert_leads_in();
    let user = browser.session().await["user"].clone();
    assert_eq!(
        (&user["email"], &user["emailVerified"]),
        (&json!("7@twitter.placeholder.invalid"), &json!(false))
    );
}

/// An engine with one provider that signs its id tokens.
fn with_signing(name: &'static str, places: Places, settings: Value) -> (TestEngine, Imitation) {
    let site = Imitation::new(name, places, Key::rsa("key-1"));
    let internet = Internet::of(&[&site]);
    let mut options = crate::social::options();
    let provider = json!({ "clientId": site.client_id, "clientSecret": site.client_secret });
    let provider = with(provider, settings);
    options.social_providers = serde_json::from_value(json!({ name: provider })).unwrap();
    options.social.http_client = housekey_engine::options::Shared::new(std::sync::Arc::new(internet.clone()));
    let test = TestEngine::new(options);
    internet.runs_by(&test.clock);
    (test, site)
}

fn apple() -> Places {
    Places {
        issuer: "https://appleid.apple.com".into(),
        authorize: "https://appleid.apple.com/auth/authorize".into(),
        token: "https://appleid.apple.com/auth/token".into(),
        keys: "https://appleid.apple.com/auth/keys".into(),
        ..Places::default()
    }
}

#[tokio::test]
// spec: SOC-8
async fn apple_posts_a_form_and_tells_the_name_once() {
    let (test, site) = with_signing("apple", apple(), json!({}));
    let mut browser = test.browser();
    let page = start(&mut browser, "apple").await;
    assert_eq!(parameter(&page, "response_type").as_deref(), Some("code id_token"));
    assert_eq!(parameter(&page, "response_mode").as_deref(), Some("form_post"));
    let person = Person::ada().saying(json!({ "name": null, "picture": null, "email_verified": "true" }));
    let user = "%7B%22name%22%3A%7B%22firstName%22%3A%22Ada%22%2C%22lastName%22%3A%22Lovelace%22%7D%7D";
    let form = format!("{}&user={user}&id_token=dropped", site.agree(&page, &person));
    let mut cross_site: Browser = test.browser();
    cross_site.headers.insert("origin", "https://appleid.apple.com".parse().unwrap());
    let kind = Some("application/x-www-form-urlencoded");
    let answer = cross_site.send(http::Method::POST, "/callback/apple", form.into(), kind).await;
    let target = answer.assert(StatusCode::FOUND).location().to_owned();
    let path = target.strip_prefix(&format!("{ORIGIN}/api/auth")).unwrap();
    browser.get(path).await.assert_leads_in();
    let user = browser.session().await["user"].clone();
    assert_eq!((&user["name"], &user["emailVerified"]), (&json!("Ada Lovelace"), &json!(true)));
}

#[tokio::test]
// spec: SOC-8
async fn apples_secret_is_made_from_the_key_for_every_request() {
    use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair};
    let random = ring::rand::SystemRandom::new();
    let der = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
    let inner = data_encoding::BASE64.encode(der.as_ref());
    let pem = format!("-----BEGIN PRIVATE KEY-----\n{inner}\n-----END PRIVATE KEY-----\n");
    let key = json!({ "clientSecret": "", "privateKey": pem, "teamId": "TEAM", "keyId": "KEY" });
    let (test, site) = with_signing("apple", apple(), key);
    let mut browser = test.browser();
    let page = start(&mut browser, "apple").await;
    let query = site.agree(&page, &Person::ada());
    // It is not the secret that this imitation knows.
    come_back(&mut browser, &site, &query).await.assert_failed("invalid_code");
    let secret = site.requests_to(&site.places.token)[0].form("client_secret").unwrap();
    let part = |number: usize| -> Value {
        let text = secret.split('.').nth(number).unwrap();
        serde_json::from_slice(&BASE64URL_NOPAD.decode(text.as_bytes()).unwrap()).unwrap()
    };
    assert_eq!((&part(0)["alg"], &part(0)["kid"]), (&json!("ES256"), &json!("KEY")));
    let claims = part(1);
    let now = test.clock.now().unix_timestamp();
    assert_eq!(claims["iss"], "TEAM");
    assert_eq!(claims["sub"], "apple-client");
    assert_eq!(claims["aud"], "https://appleid.apple.com");
    assert_eq!(claims["iat"], now);
    assert!(claims["exp"].as_i64().unwrap() > now && claims["exp"].as_i64().unwrap() <= now + 15_777_000);
}

#[tokio::test]
// spec: SOC-8
async fn twitch_lets_somebody_in() {
    let places = Places {
        issuer: "https://id.twitch.tv/oauth2".into(),
        authorize: "https://id.twitch.tv/oauth2/authorize".into(),
        token: "https://id.twitch.tv/oauth2/token".into(),
        keys: "https://id.twitch.tv/oauth2/keys".into(),
        ..Places::default()
    };
    let (test, site) = with_signing("twitch", places, json!({}));
    let mut browser = test.browser();
    let page = start(&mut browser, "twitch").await;
    assert!(parameter(&page, "claims").unwrap().contains("preferred_username"), "{page}");
    assert_eq!(parameter(&page, "code_challenge"), None);
    let person = Person::ada().saying(json!({ "preferred_username": "ada_l", "name": null }));
    come_back(&mut browser, &site, &site.agree(&page, &person)).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["name"], "ada_l");
}

#[tokio::test]
// spec: SOC-8
async fn google_keeps_to_its_hosted_domain() {
    let google = crate::social::social().google.places.clone();
    for (domain, person_domain, gets_in) in [
        ("example.com", Some("example.com"), true),
        ("example.com", Some("evil.test"), false),
        ("example.com", None, false),
        ("*", Some("anything.test"), true),
        ("*", None, false),
    ] {
        let (test, site) = with_signing("google", google.clone(), json!({ "hd": domain }));
        let mut browser = test.browser();
        let page = start(&mut browser, "google").await;
        assert_eq!(parameter(&page, "hd").as_deref(), Some(domain));
        let person = Person::ada().saying(person_domain.map_or(json!({}), |hd| json!({ "hd": hd })));
        let answer = come_back(&mut browser, &site, &site.agree(&page, &person)).await;
        if gets_in {
            answer.assert_leads_in();
        } else {
            answer.assert_failed("unable_to_get_user_info");
            assert!(test.rows("user").await.is_empty());
        }
    }
}

#[tokio::test]
// spec: SOC-8
async fn microsoft_is_known_by_the_object_and_not_by_the_address() {
    let social = social();
    let person = |verified: Value| {
        let mut more = json!({ "oid": "object-of-ada", "tid": crate::social::TENANT });
        for (name, value) in verified.as_object().unwrap() {
            more[name] = value.clone();
        }
        Person::claiming("Ada", "ada@example.com").saying(more)
    };
    // An address that a tenant's administrator wrote is proven by nothing.
    let nobody = person(json!({ "email_verified": null }));
    let mut browser = social.browser();
    social.visit(&mut browser, &social.microsoft, &nobody).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["emailVerified"], false);
    let proven = person(json!({ "email_verified": null, "verified_primary_email": ["ada@example.com"] }));
    social.visit(&mut browser, &social.microsoft, &proven).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["emailVerified"], true);
    let without = Person::new("Bob", "bob@example.com").saying(json!({ "tid": crate::social::TENANT }));
    let answer = social.visit(&mut social.browser(), &social.microsoft, &without).await;
    answer.assert_failed("unable_to_get_user_info");
}

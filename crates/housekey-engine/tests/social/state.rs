//! The state of a flow: used once, in the browser that began it, at the provider that it began with, in time.

use housekey_engine::Value;
use http::StatusCode;
use serde_json::json;
use url::Url;

use crate::social::imitation::{Person, parameter};
use crate::social::{Social, come_back, social, social_accounts, start, state_cookies};

fn by_cookie() -> Social {
    social_accounts(&json!({ "storeStateStrategy": "cookie" }))
}

fn state_of(page: &Url) -> String {
    parameter(page, "state").unwrap()
}

#[tokio::test]
// spec: SOC-2
async fn the_row_of_a_state_is_the_references() {
    let social = social();
    let body = json!({
        "provider": "acme", "callbackURL": "/in", "errorCallbackURL": "/failed",
        "newUserCallbackURL": "/welcome", "requestSignUp": true,
    });
    let answer = social.browser().post("/sign-in/social", body).await.assert(StatusCode::OK);
    let page = Url::parse(answer.json()["url"].as_str().unwrap()).unwrap();
    let rows = social.test.rows("verification").await;
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].text("identifier"), Some(format!("auth-state:{}", state_of(&page)).as_str()));
    let ten_minutes = social.test.clock.now() + std::time::Duration::from_mins(10);
    assert_eq!(rows[0].get("expiresAt").and_then(Value::as_date), Some(ten_minutes));

    let value: serde_json::Value = serde_json::from_str(rows[0].text("value").unwrap()).unwrap();
    assert_eq!(value["callbackURL"], "/in");
    assert_eq!(value["errorURL"], "/failed");
    assert_eq!(value["newUserURL"], "/welcome");
    assert_eq!(value["requestSignUp"], true);
    assert_eq!(value["oauthState"], json!(state_of(&page)));
    assert_eq!(value["idTokenNonce"], json!(parameter(&page, "nonce")));
    assert_eq!(value["expiresAt"], json!(ten_minutes.unix_timestamp_nanos() as i64 / 1_000_000));
    assert_eq!(value["codeVerifier"].as_str().unwrap().len(), 128);
}

#[tokio::test]
// spec: SOC-3
async fn the_cookie_of_a_state_lives_as_long_as_its_row_and_is_for_us_only() {
    for social in [social(), by_cookie()] {
        let answer = social.browser().post("/sign-in/social", json!({ "provider": "acme" })).await;
        let attributes = &answer.state_cookie().attributes;
        for attribute in ["Max-Age=600", "HttpOnly", "SameSite=Lax", "Path=/"] {
            assert!(attributes.contains(attribute), "{attributes}");
        }
    }
}

#[tokio::test]
async fn with_states_in_cookies_nothing_is_stored_and_nothing_can_be_read_there() {
    let social = by_cookie();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    assert!(social.test.rows("verification").await.is_empty());
    let cookies = format!("{:?}", browser.cookies);
    assert!(!cookies.contains("/failed") && !cookies.contains("codeVerifier"), "{cookies}");
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
    assert!(state_cookies(&browser).is_empty(), "{:?}", browser.cookies);
}

#[tokio::test]
async fn a_state_cookie_that_cannot_be_read_is_invalid() {
    let social = by_cookie();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    for name in state_cookies(&browser) {
        browser.cookies.insert(name, "00ff00ff".repeat(20));
    }
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_lost("state_invalid");
    social.assert_nothing_made().await;
}

#[tokio::test]
// spec: SOC-3
async fn a_flow_without_a_state_goes_nowhere() {
    for social in [social(), by_cookie()] {
        let mut browser = social.browser();
        let page = start(&mut browser, "acme").await;
        let code = social.acme.grant(&page, &Person::ada());
        for query in [format!("code={code}"), format!("code={code}&state=")] {
            come_back(&mut browser, &social.acme, &query).await.assert_lost("state_not_found");
        }
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
// spec: SOC-3
async fn a_forged_state_goes_nowhere() {
    for social in [social(), by_cookie()] {
        let mut browser = social.browser();
        let page = start(&mut browser, "acme").await;
        let code = social.acme.grant(&page, &Person::ada());
        let wrong = "x".repeat(32);
        let long = "x".repeat(5000);
        let state = state_of(&page);
        let another = if state.ends_with('x') { 'y' } else { 'x' };
        let near = format!("{}{another}", &state[..31]);
        for forged in [wrong.as_str(), "'%20or%201=1--", long.as_str(), near.as_str()] {
            let query = format!("code={code}&state={forged}");
            let answer = come_back(&mut browser, &social.acme, &query).await.assert_grants_nothing();
            assert_eq!(answer.error().1.as_deref(), Some("state_mismatch"), "{answer:?}");
        }
        assert!(social.acme.requests_to(&social.acme.places.token).is_empty(), "the code was not spent");
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
// spec: SOC-2
async fn a_flow_that_began_at_the_reference_ends_here() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    // It has one cookie per browser, and its row does not name the provider.
    browser.cookies.retain(|name, _| name == "better-auth.state");
    assert_eq!(browser.cookies.len(), 1);
    change_row(&social, |flow| drop(flow.as_object_mut().unwrap().remove("oauthProvider"))).await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
}

/// Changes what the only row of a flow says.
async fn change_row(social: &Social, change: impl FnOnce(&mut serde_json::Value)) {
    use housekey_engine::storage::{Filter, Records as _};
    let row = social.test.rows("verification").await.remove(0);
    let mut flow = serde_json::from_str(row.text("value").unwrap()).unwrap();
    change(&mut flow);
    let table = social.test.engine.schema().table("verification").unwrap();
    let changes = housekey_engine::Record::new().with("value", flow.to_string());
    social.test.storage.update(table, &Filter::all(), &changes).await.unwrap();
}

#[tokio::test]
// spec: SOC-3
async fn a_row_that_leads_elsewhere_leads_nobody_there() {
    let foreign = json!("https://evil.test/in");
    for field in ["callbackURL", "newUserURL", "errorURL"] {
        for fails in [false, true] {
            let social = social();
            let mut browser = social.browser();
            let page = start(&mut browser, "acme").await;
            change_row(&social, |flow| flow[field] = foreign.clone()).await;
            let query = match fails {
                true => format!("error=access_denied&state={}", state_of(&page)),
                false => social.acme.agree(&page, &Person::ada()),
            };
            let answer = come_back(&mut browser, &social.acme, &query).await;
            assert!(!answer.location().contains("evil.test"), "{field}: {answer:?}");
        }
    }
}

#[tokio::test]
// spec: SOC-3
async fn a_state_works_once() {
    for social in [social(), by_cookie()] {
        let mut browser = social.browser();
        let page = start(&mut browser, "acme").await;
        let query = social.acme.agree(&page, &Person::ada());
        come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
        assert!(state_cookies(&browser).is_empty(), "the cookie went: {:?}", browser.cookies);
        let again = social.acme.agree(&page, &Person::ada());
        come_back(&mut browser, &social.acme, &again).await.assert_lost("state_mismatch");
        assert_eq!(social.test.rows("session").await.len(), 1);
    }
}

#[tokio::test]
// spec: SOC-3
async fn a_state_works_once_even_for_whoever_kept_its_cookie() {
    for social in [social(), by_cookie()] {
        let mut browser = social.browser();
        let page = start(&mut browser, "acme").await;
        let mut kept = browser.clone();
        let query = social.acme.agree(&page, &Person::ada());
        come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
        let again = social.acme.agree(&page, &Person::ada());
        let answer = come_back(&mut kept, &social.acme, &again).await.assert_grants_nothing();
        assert_eq!(answer.error().1.as_deref(), Some("state_mismatch"), "{answer:?}");
        assert_eq!(social.test.rows("session").await.len(), 1);
    }
}

#[tokio::test]
// spec: SOC-3
async fn a_state_in_the_database_leaves_no_row() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    assert!(social.test.rows("verification").await.is_empty());
}

#[tokio::test]
// spec: SOC-3
async fn of_two_who_bring_one_state_at_once_one_gets_in() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let queries: Vec<_> = (0..6).map(|_| social.acme.agree(&page, &Person::ada())).collect();
    let mut tasks = Vec::new();
    for query in queries {
        let (mut twin, acme) = (browser.clone(), social.acme.clone());
        tasks.push(tokio::spawn(async move { come_back(&mut twin, &acme, &query).await }));
    }
    let mut inside = 0;
    for task in tasks {
        let answer = task.await.unwrap();
        inside += usize::from(answer.cookie("session_token").is_some_and(|cookie| !cookie.is_cleared()));
    }
    assert_eq!(inside, 1);
    assert_eq!(social.test.rows("user").await.len(), 1);
    assert_eq!(social.test.rows("session").await.len(), 1);
}

#[tokio::test]
// spec: SOC-3
async fn a_state_is_bound_to_the_browser_that_began_and_waits_for_it() {
    let social = social();
    let (mut ada, mut stranger) = (social.browser(), social.browser());
    let page = start(&mut ada, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut stranger, &social.acme, &query).await.assert_failed("state_mismatch");
    // One that has begun a flow of its own is a stranger to this one too.
    start(&mut stranger, "acme").await;
    come_back(&mut stranger, &social.acme, &query).await.assert_failed("state_mismatch");
    social.assert_nothing_made().await;
    come_back(&mut ada, &social.acme, &query).await.assert_leads_in();
}

#[tokio::test]
// spec: SOC-3
async fn a_state_cookie_of_another_flow_or_a_forged_one_does_not_do() {
    let social = social();
    let (mut ada, mut eve) = (social.browser(), social.browser());
    let of_ada = start(&mut ada, "acme").await;
    start(&mut eve, "acme").await;
    // Eve puts the value of her own cookie under the name of the other, and then a signature of her own.
    let value = eve.cookies.values().next().unwrap().clone();
    let query = social.acme.agree(&of_ada, &Person::ada());
    for forged in [value, state_of(&of_ada), format!("{}.c2lnbmF0dXJl", state_of(&of_ada))] {
        let mut thief = social.browser();
        for name in ada.cookies.keys().chain(eve.cookies.keys()) {
            thief.cookies.insert(name.clone(), forged.clone());
        }
        come_back(&mut thief, &social.acme, &query).await.assert_failed("state_mismatch");
    }
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn an_app_that_says_so_lets_another_browser_finish() {
    let social = social_accounts(&json!({ "skipStateCookieCheck": true }));
    let page = start(&mut social.browser(), "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut social.browser(), &social.acme, &query).await.assert_leads_in();
}

#[tokio::test]
// spec: SOC-3
async fn a_state_lives_ten_minutes_and_not_a_second_more() {
    for social in [social(), by_cookie()] {
        let mut browser = social.browser();
        let page = start(&mut browser, "acme").await;
        social.test.advance(9 * 60 + 59);
        let query = social.acme.agree(&page, &Person::ada());
        come_back(&mut browser, &social.acme, &query).await.assert_leads_in();

        let mut late = social.browser();
        let page = start(&mut late, "acme").await;
        social.test.advance(10 * 60 + 1);
        let query = social.acme.agree(&page, &Person::ada());
        let answer = come_back(&mut late, &social.acme, &query).await;
        assert_eq!(answer.error().1.as_deref(), Some("state_mismatch"), "{answer:?}");
        answer.assert_grants_nothing();
        assert_eq!(social.test.rows("session").await.len(), 1);
    }
}

#[tokio::test]
// spec: SOC-3
async fn a_state_is_bound_to_the_provider_that_it_began_with() {
    for social in [social(), by_cookie()] {
        let mut browser = social.browser();
        let page = start(&mut browser, "acme").await;
        let state = state_of(&page);
        let at_other = social.other.grant(&page, &Person::ada());
        let query = format!("code={at_other}&state={state}");
        let swapped = come_back(&mut browser, &social.other, &query).await;
        assert_eq!(swapped.error().1.as_deref(), Some("state_mismatch"), "{swapped:?}");
        swapped.assert_grants_nothing();
        assert!(social.other.requests_to(&social.other.places.token).is_empty(), "no code was sent there");
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
// spec: SOC-3
async fn twenty_flows_at_once_in_one_browser_all_finish() {
    // A state that lies in its cookie is ten times as long, and a browser has room for fewer.
    for (social, flows) in [(social(), 20), (by_cookie(), 5)] {
        let mut browser = social.browser();
        let mut pages = Vec::new();
        for number in 0..flows {
            let site = if number % 2 == 0 { &social.acme } else { &social.other };
            pages.push((site, start(&mut browser, site.name).await));
        }
        // The last tab first: none depends on another.
        for (number, (site, page)) in pages.iter().enumerate().rev() {
            let person = Person::new(&format!("P{number}"), &format!("p{number}@example.com"));
            let query = site.agree(page, &person);
            come_back(&mut browser, site, &query).await.assert_leads_in();
        }
        assert!(state_cookies(&browser).is_empty(), "{:?}", browser.cookies);
        assert_eq!(social.test.rows("user").await.len(), flows);
    }
}

#[tokio::test]
async fn flows_that_nobody_finishes_do_not_fill_the_browser() {
    for social in [social(), by_cookie()] {
        let mut browser = social.browser();
        for _ in 0..60 {
            start(&mut browser, "acme").await;
        }
        let size: usize = browser.cookies.iter().map(|(name, value)| name.len() + value.len()).sum();
        assert!(size < 16 * 1024, "{} cookies of {size} bytes", browser.cookies.len());
        // The newest works.
        social.sign_in(&mut browser, &Person::ada()).await.assert_leads_in();
    }
}

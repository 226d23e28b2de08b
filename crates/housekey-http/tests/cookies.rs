//! Cookies, through the kernel.

use crate::visitor::{Plan, block_on, request, site};
use housekey_core::{AppConfig, Environment};
use housekey_http::Routes;
use housekey_http::axum::extract::Path;
use housekey_http::cookies::{Cookie, cookies};
use proptest::prelude::*;

fn routes(route: &mut Routes) {
    route.get("/get/{name}", async |Path(name): Path<String>| cookies().get(&name).unwrap_or_default());
    route.get("/set/{value}", async |Path(value): Path<String>| cookies().add(Cookie::new("plain", value)));
    route.get("/drop", async || cookies().remove("plain"));
    route.get("/sign/{value}", async |Path(value): Path<String>| {
        cookies().signed().add(Cookie::new("signed", value));
    });
    route.get("/signed", async || cookies().signed().get("signed").unwrap_or_default());
    route.get("/seal/{value}", async |Path(value): Path<String>| {
        cookies().encrypted().add(Cookie::new("sealed", value));
    });
    route.get("/sealed", async || cookies().encrypted().get("sealed").unwrap_or_default());
    route.get("/as-admin", async || cookies().signed().get("admin").unwrap_or_default());
    route.get("/broken", async || {
        cookies().add(Cookie::new("left", "behind"));
        Err::<(), _>(housekey_core::Error::not_found())
    });
}

#[tokio::test]
async fn cookies_go_out_and_come_back() {
    let site = site(routes);
    let visitor = site.visitor();
    let answer = visitor.get("/set/a%20b%3Bc").await.ok();
    assert_eq!(answer.cookies(), ["plain=a%20b%3Bc; HttpOnly; SameSite=Lax; Path=/"]);
    assert_eq!(visitor.text("/get/plain").await, "a b;c");
    visitor.get("/drop").await.ok();
    assert_eq!(visitor.cookie("plain"), None);
    assert_eq!(visitor.get("/broken").await.cookies().len(), 1, "an error answer carries them too");
}

#[tokio::test]
async fn over_https_cookies_stay_on_https() {
    let app =
        AppConfig { url: "https://shop.test".into(), env: Environment::Production, ..AppConfig::default() };
    let site = Plan { app, ..Plan::default() }.site(routes);
    assert!(site.visitor().get("/set/x").await.cookies()[0].contains("; Secure"));
}

#[tokio::test]
async fn a_signed_cookie_cannot_be_changed_renamed_or_made_elsewhere() {
    let (here, elsewhere) = (site(routes), site(routes));
    let visitor = here.visitor();
    visitor.get("/sign/user-7").await.ok();
    assert_eq!(visitor.text("/signed").await, "user-7");
    let good = visitor.cookie("signed").unwrap();

    assert_eq!(visitor.at(&elsewhere).text("/signed").await, "");
    visitor.set_cookie("admin", &good);
    assert_eq!(visitor.text("/as-admin").await, "", "signed for one name, worthless under another");
    for bad in
        ["", ".", "user-7", &good[..good.len() - 1], &good[1..], &format!("x{good}"), &good.replace('.', "")]
    {
        visitor.set_cookie("signed", bad);
        assert_eq!(visitor.text("/signed").await, "", "{bad}");
    }
}

#[tokio::test]
async fn an_encrypted_cookie_says_nothing_to_its_bearer() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/seal/plan-gold").await.ok();
    assert!(!visitor.cookie("sealed").unwrap().contains("gold"));
    assert_eq!(visitor.text("/sealed").await, "plan-gold");
    let changed = visitor.cookie("sealed").unwrap().replacen('A', "B", 1) + "A";
    visitor.set_cookie("sealed", &changed);
    assert_eq!(visitor.text("/sealed").await, "");
}

#[test]
fn outside_a_request_there_are_no_cookies() {
    assert_eq!(cookies().get("plain"), None);
    cookies().add(Cookie::new("plain", "x"));
    cookies().signed().add(Cookie::new("signed", "x"));
    assert_eq!(cookies().get("plain"), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn no_cookie_header_breaks_a_request(header in "[ -~\\t]{0,200}") {
        let (status, found) = block_on(async {
            let request = request(http::Method::GET, "/get/mine").header("cookie", &format!("{header};mine=here; id={header}"));
            let answer = site(routes).visitor().send(request).await;
            (answer.status.as_u16(), answer.text())
        });
        prop_assert_eq!(status, 200);
        prop_assert!(found == "here" || header.contains("mine"), "{}", found);
    }
}

//! Signed addresses, through the kernel.

use std::time::Duration;

use crate::edge::{BootedApp, boot, try_boot};
use axum::extract::Path;
use housekey_core::{AppConfig, AppKey, EncryptionConfig, Result, Secret};
use housekey_http::{App, Routes, axum, signed_path, signed_url};
use http::Method;

const HOUR: Duration = Duration::from_secs(3600);

fn web(route: &mut Routes) {
    route.get("/new/invite/{id}", async |Path(id): Path<i64>| signed_url("invite", [("id", id)], HOUR));
    route.get("/new/unsubscribe", async || {
        signed_url("unsubscribe", [("who", "zoë@x.example"), ("list", "a b&c")], None)
    });
    route.get("/new/campaign", async || {
        signed_path("campaign", [("code", "7"), ("utm_source", "letter")], None)
    });
    route.get("/new/letter", async || signed_path("campaign", [("code", "7")], None));
    route.get("/new/home", async || signed_path("home", (), HOUR));
    route.get("/new/wrong", async || signed_path("home", [("expires", 1)], None));
    route.get("/new/file", async || signed_path("file", [("path", "a b/ç~.txt")], HOUR));
    route
        .get("/join/{id}", async |Path(id): Path<i64>| format!("team {id}"))
        .name("invite")
        .middleware("signed");
    route.get("/join-other/{id}", async |Path(id): Path<i64>| format!("team {id}")).middleware("signed");
    route.get("/unsubscribe", async || "gone").name("unsubscribe").middleware("signed");
    route.get("/campaign", async || "welcome").name("campaign").middleware("signed:utm_source, utm_medium");
    route.get("/home", async || "home").name("home").middleware("signed");
    route.get("/files/{*path}", async |Path(path): Path<String>| path).name("file").middleware("signed");
}

fn site() -> BootedApp {
    boot(|app| app.routes(web))
}

/// A site whose keys a test knows.
fn site_with(key: Secret, previous: Vec<Secret>) -> BootedApp {
    let keys = |app: App| {
        app.configure(|config| {
            config.update::<EncryptionConfig>(|encryption| {
                (encryption.key, encryption.previous_keys) = (key, previous);
            });
            config.update::<AppConfig>(|app| app.url = "https://team.example/".into());
        })
        .routes(web)
    };
    boot(keys)
}

impl BootedApp {
    /// An address that a handler signed, without its host.
    async fn signed(&self, what: &str) -> String {
        let answer = self.get(&format!("/new/{what}")).await;
        assert_eq!(answer.status, 200, "{}", answer.text());
        let address = answer.text();
        match address.split_once("://") {
            Some((_, rest)) => rest[rest.find('/').unwrap()..].to_owned(),
            None => address,
        }
    }

    async fn status(&self, path: &str) -> u16 {
        self.get(path).await.status.as_u16()
    }
}

#[tokio::test]
async fn a_signed_address_opens_and_one_without_a_signature_does_not() {
    let app = site();
    let invite = app.signed("invite/7").await;
    assert!(invite.starts_with("/join/7?expires="), "{invite}");
    assert_eq!(app.get(&invite).await.text(), "team 7");
    assert_eq!(app.ask(Method::HEAD, &invite, &[]).await.status, 200);
    for path in ["/join/7", "/join/7?signature=", "/join/7?signature=AAAA", "/join/7?expires=99999999999"] {
        assert_eq!(app.status(path).await, 403, "{path}");
    }
}

#[tokio::test]
async fn whatever_is_changed_added_or_cut_off_is_refused_with_words() {
    let app = site();
    let invite = app.signed("invite/7").await;
    let end = invite.split("expires=").nth(1).unwrap().split('&').next().unwrap();
    let later = (end.parse::<u64>().unwrap() + 1).to_string();
    for changed in [
        invite.replace("/join/7", "/join/8"),
        invite.replace("/join/", "/join-other/"),
        invite.replace(end, &later),
        invite.replace(&format!("expires={end}&"), ""),
        invite.replace("expires=", "expires=1&expires="),
        format!("{invite}&admin=1"),
        format!("{invite}&signature=AAAA"),
        invite[..invite.len() - 1].to_owned(),
        format!("{invite}A"),
    ] {
        assert_ne!(changed, invite);
        assert_eq!(app.status(&changed).await, 403, "{changed}");
    }
    let page = app.get(&invite.replace("/join/7", "/join/8")).await;
    assert!(page.text().contains("not complete, or was changed"), "{}", page.text());
    let json = app.get_with("/join/8", &[("accept", "application/json")]).await;
    assert!(json.text().contains("\"code\":\"signature_invalid\""), "{}", json.text());
}

#[tokio::test]
async fn an_address_is_over_at_its_end_and_one_without_an_end_never_is() {
    let app = site();
    let (invite, unsubscribe) = (app.signed("invite/7").await, app.signed("unsubscribe").await);
    app.clock.advance(HOUR - Duration::from_secs(1));
    assert_eq!(app.status(&invite).await, 200);
    app.clock.advance(Duration::from_secs(1));
    let over = app.get(&invite).await;
    assert_eq!(over.status, 410);
    assert!(over.text().contains("This link is over"), "{}", over.text());
    // A changed one does not tell whether it is over.
    assert_eq!(app.status(&invite.replace("/join/7", "/join/8")).await, 403);
    app.clock.advance(HOUR * 24 * 365 * 20);
    assert_eq!(app.status(&unsubscribe).await, 200);
}

#[tokio::test]
async fn order_and_spelling_make_no_difference() {
    let app = site();
    let address = app.signed("unsubscribe").await;
    let (path, query) = address.split_once('?').unwrap();
    let backwards = query.split('&').rev().collect::<Vec<_>>().join("&");
    assert_ne!(backwards, query);
    assert_eq!(app.status(&format!("{path}?{backwards}")).await, 200);
    assert_eq!(app.status(&address.replace("a+b", "a%20b")).await, 200);
    assert_eq!(app.status(&address.replace("/unsubscribe?", "/unsubscribe/?")).await, 200);
    let file = app.signed("file").await;
    assert_eq!(app.get(&file).await.text(), "a b/ç~.txt");
    assert_eq!(app.status(&file.replace('~', "%7E")).await, 200);
    assert_eq!(app.status(&file.replace("a%20b/", "a%20b%2F")).await, 403);
}

#[tokio::test]
async fn a_parameter_that_the_guard_names_may_be_added_by_others() {
    let app = site();
    let campaign = app.signed("campaign").await;
    assert_eq!(app.status(&campaign).await, 200, "it was signed along");
    let letter = app.signed("letter").await;
    assert_eq!(app.status(&format!("{letter}&utm_source=mail&utm_medium=a")).await, 200);
    assert_eq!(app.status(&format!("{letter}&utm_source=mail&code=8")).await, 403);
    assert_eq!(app.status(&format!("{letter}&utm_campaign=mail")).await, 403);
    let invite = app.signed("invite/7").await;
    assert_eq!(app.status(&format!("{invite}&utm_source=mail")).await, 403, "this route does not name it");
    let bare = app.signed("home").await;
    assert_eq!(app.status(&bare).await, 200);
    for wrong in ["signed:expires", "signed:signature", "signed:a,,b"] {
        let booted = try_boot(|app| {
            app.routes(move |route| {
                route.get("/", async || "").middleware(wrong);
            })
        });
        assert!(booted.is_err_and(|error| error.to_string().contains("cannot ignore")), "{wrong}");
    }
}

#[tokio::test]
async fn a_previous_key_still_counts_and_a_forgotten_one_does_not() {
    let (old, new) = (AppKey::generate().to_text(), AppKey::generate().to_text());
    let invite = site_with(old.clone(), vec![]).signed("invite/7").await;
    assert_eq!(site_with(new.clone(), vec![old]).status(&invite).await, 200);
    assert_eq!(site_with(new, vec![]).status(&invite).await, 403);
}

#[tokio::test]
async fn a_proxy_may_have_another_host_and_scheme() {
    let app = site_with(AppKey::generate().to_text(), vec![]);
    let whole = app.get("/new/invite/7").await.text();
    assert!(whole.starts_with("https://team.example/join/7?"), "{whole}");
    let invite = app.signed("invite/7").await;
    for host in ["team.example", "10.0.0.7:8080", "other.example"] {
        assert_eq!(app.get_with(&invite, &[("host", host)]).await.status, 200, "{host}");
    }
    assert_eq!(app.status(&format!("http://inside:8080{invite}")).await, 200);
}

#[tokio::test]
async fn names_that_are_ours_and_calls_outside_of_an_application_are_mistakes() -> Result<()> {
    let app = site();
    assert_eq!(app.status("/new/wrong").await, 500);
    let outside = signed_url("invite", [("id", 7)], None).unwrap_err();
    assert!(outside.to_string().contains("outside of an application"), "{outside}");
    Ok(())
}

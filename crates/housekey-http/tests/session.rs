//! Sessions, through the kernel.

use std::fs;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::visitor::{Plan, Site, Visitor, site};
use housekey_core::{AppConfig, Environment, Result};
use housekey_http::Routes;
use housekey_http::axum::extract::Path;
use housekey_http::csrf::csrf_token;
use housekey_http::session::{SessionConfig, SessionId, SessionStore, flashed, session};
use housekey_test_support::in_time;
use serde_json::json;
use tokio::sync::{Barrier, Notify};

/// Routes that do one thing each.
fn routes(route: &mut Routes) {
    route.get("/nothing", async || "nothing");
    route.get("/all", async || -> Result<String> { Ok(serde_json::to_string(&session().all().await?)?) });
    route.get("/get/{key}", async |Path(key): Path<String>| -> Result<String> {
        Ok(session().get::<String>(&key).await?.unwrap_or_default())
    });
    route.get("/put/{key}/{value}", async |Path((key, value)): Path<(String, String)>| {
        session().put(&key, value)
    });
    route.get("/pull/{key}", async |Path(key): Path<String>| -> Result<String> {
        Ok(session().pull::<String>(&key).await?.unwrap_or_default())
    });
    route.get("/forget/{key}", async |Path(key): Path<String>| session().forget(&key));
    route.get("/push/{value}", async |Path(value): Path<String>| session().push("list", value));
    route
        .get("/count", async || -> Result<String> { Ok(session().increment("count", 1).await?.to_string()) });
    route.get("/uncount", async || -> Result<String> {
        Ok(session().decrement("count", 1).await?.to_string())
    });
    route.get("/flash/{key}/{value}", async |Path((key, value)): Path<(String, String)>| {
        session().flash(&key, value)
    });
    route.get("/flash-and-read", async || -> Result<String> {
        session().flash("status", "for later")?;
        Ok(session().get("status").await?.unwrap_or_default())
    });
    route.get("/flash-then-put", async || -> Result<String> {
        session().flash("status", "flashed")?;
        session().put("status", "put")?;
        Ok(session().get("status").await?.unwrap_or_default())
    });
    route.get("/view/{key}", async |Path(key): Path<String>| flashed::<String>(&key).unwrap_or_default());
    route.get("/view-twice/{key}", async |Path(key): Path<String>| {
        flashed::<String>(&key).unwrap_or_default() + &flashed::<String>(&key).unwrap_or_default()
    });
    route.get("/now", async || -> Result<String> {
        session().flash_now("status", "just now")?;
        Ok(flashed::<String>("status").unwrap_or_default())
    });
    route.get("/reflash", async || -> Result<String> {
        let status = session().get("status").await?.unwrap_or_default();
        session().reflash();
        Ok(status)
    });
    route.get("/keep/{key}", async |Path(key): Path<String>| session().keep([key.as_str()]));
    route.get("/regenerate", async || session().regenerate());
    route.get("/invalidate", async || session().invalidate());
    route.get("/sign-out", async || -> Result<()> {
        session().invalidate();
        session().flash("status", "Goodbye.")
    });
    route.get("/token", async || csrf_token());
    route.get("/id", async || session().id());
}

async fn all(visitor: &Visitor) -> serde_json::Value {
    visitor.get("/all").await.ok().to_json()
}

// spec: SHL-5
#[tokio::test]
async fn an_empty_session_is_not_stored_and_sets_no_cookie() {
    let site = site(routes);
    let visitor = site.visitor();
    for path in
        ["/nothing", "/all", "/get/name", "/view/status", "/forget/name", "/pull/name", "/now", "/reflash"]
    {
        let answer = visitor.get(path).await.ok();
        assert_eq!(answer.cookies(), [""; 0], "{path}");
    }
    assert_eq!(site.store.counts(), (0, 0));
}

#[tokio::test]
async fn what_is_put_into_a_session_is_there_the_next_time() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/put/name/Ada").await.ok();
    visitor.get("/push/a").await.ok();
    visitor.get("/push/b").await.ok();
    assert_eq!(visitor.text("/count").await, "1");
    assert_eq!(visitor.text("/count").await, "2");
    assert_eq!(visitor.text("/uncount").await, "1");
    assert_eq!(all(&visitor).await, json!({ "name": "Ada", "list": ["a", "b"], "count": 1 }));
    assert_eq!(visitor.text("/pull/name").await, "Ada");
    assert_eq!(visitor.text("/get/name").await, "");
    visitor.get("/forget/list").await.ok();
    assert_eq!(all(&visitor).await, json!({ "count": 1 }));
    assert_eq!(all(&site.visitor()).await, json!({}), "another visitor sees nothing of it");
}

#[tokio::test]
async fn a_route_that_does_not_ask_for_the_session_touches_no_store() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/put/name/Ada").await.ok();
    let before = site.store.counts();
    visitor.get("/nothing").await.ok();
    visitor.get("/view/status").await.ok();
    visitor.get("/token").await.ok();
    assert_eq!(site.store.counts(), before);
    visitor.get("/get/name").await.ok();
    assert_eq!(site.store.counts(), (before.0 + 1, before.1), "reading reads once and writes nothing");
}

#[tokio::test]
async fn the_cookie_keeps_to_itself() {
    let site = site(routes);
    let cookie = site.visitor().get("/put/name/Ada").await.cookies().remove(0);
    for attribute in ["; HttpOnly", "; SameSite=Lax", "; Path=/", "; Max-Age=7200"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    assert!(!cookie.contains("Secure"), "{cookie}");

    let app =
        AppConfig { url: "https://shop.test".into(), env: Environment::Production, ..AppConfig::default() };
    let mut plan = Plan { app, ..Plan::default() };
    plan.session.expire_on_close = true;
    let cookie = plan.site(routes).visitor().get("/put/name/Ada").await.cookies().remove(0);
    assert!(cookie.starts_with("__Host-id=") && cookie.contains("; Secure"), "{cookie}");
    assert!(!cookie.contains("Max-Age"), "{cookie}");
}

#[tokio::test]
async fn a_flash_is_for_the_request_that_reads_it() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/flash/status/Saved").await.ok();
    visitor.get("/nothing").await.ok();
    visitor.get("/count").await.ok();
    assert_eq!(visitor.text("/get/other").await, "", "a poll beside it does not eat it");
    assert_eq!(visitor.text("/get/status").await, "Saved");
    assert_eq!(visitor.text("/get/status").await, "");
}

#[tokio::test]
async fn a_view_reads_a_flash_without_waiting_as_often_as_it_likes() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/flash/status/Saved").await.ok();
    assert_eq!(visitor.text("/view/other").await, "");
    assert_eq!(visitor.text("/view-twice/status").await, "SavedSaved");
    assert_eq!(visitor.text("/view/status").await, "");
    let before = site.store.counts();
    visitor.get("/view/status").await.ok();
    assert_eq!(site.store.counts(), before, "with nothing flashed, views cost no look at the store");
}

#[tokio::test]
async fn a_flash_that_nobody_reads_ends_after_five_minutes() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/flash/status/Saved").await.ok();
    site.advance_minutes(4);
    visitor.get("/flash/other/Later").await.ok();
    site.advance_minutes(1);
    assert_eq!(all(&visitor).await, json!({ "other": "Later" }));
}

#[tokio::test]
async fn a_flash_can_be_for_now_or_be_kept() {
    let site = site(routes);
    let visitor = site.visitor();
    assert_eq!(visitor.text("/now").await, "just now");
    assert_eq!(visitor.text("/view/status").await, "");

    visitor.get("/flash/status/Saved").await.ok();
    assert_eq!(visitor.text("/reflash").await, "Saved");
    assert_eq!(visitor.text("/reflash").await, "Saved");
    site.advance_minutes(4);
    visitor.get("/keep/status").await.ok();
    site.advance_minutes(4);
    assert_eq!(visitor.text("/view/status").await, "Saved", "keeping it starts its five minutes anew");
    assert_eq!(visitor.text("/view/status").await, "");

    assert_eq!(visitor.text("/flash-and-read").await, "for later");
    assert_eq!(visitor.text("/get/status").await, "for later", "its own reader does not spend a flash");
    assert_eq!(visitor.text("/flash-then-put").await, "put", "the last word counts");
    assert_eq!(visitor.text("/get/status").await, "put");
    assert_eq!(visitor.text("/get/status").await, "put");
}

/// Twenty requests of one session, all of which have read it before the first is saved.
async fn stampede(plan: Plan) {
    const CROWD: usize = 20;
    let barrier = Arc::new(Barrier::new(CROWD));
    let site = plan.site(move |route| {
        routes(route);
        route.get("/rush/{number}", async move |Path(number): Path<String>| -> Result<String> {
            session().increment("count", 1).await?;
            session().push("list", &number)?;
            session().flash(&format!("flash-{number}"), &number)?;
            let token = csrf_token();
            in_time("all to have read", barrier.wait()).await;
            Ok(token)
        });
    });
    let visitor = site.visitor();
    // The first write of a session is as much of a race as any other, so the visitor has only a token yet.
    let token = visitor.text("/token").await;
    let rush = (0..CROWD).map(|number| {
        let visitor = visitor.clone();
        tokio::spawn(async move { visitor.text(&format!("/rush/{number}")).await })
    });
    for answer in rush.collect::<Vec<_>>() {
        assert_eq!(answer.await.unwrap(), token);
    }
    let all = all(&visitor).await;
    assert_eq!(all["count"], CROWD);
    assert_eq!(all["list"].as_array().unwrap().len(), CROWD);
    for number in 0..CROWD {
        assert_eq!(all[format!("flash-{number}")], number.to_string());
    }
    assert_eq!(visitor.text("/token").await, token);
}

// spec: MID-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_lose_no_count_no_flash_and_no_token_in_memory() {
    stampede(Plan::default()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_requests_lose_no_count_no_flash_and_no_token_in_files() {
    stampede(Plan::on_files()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_processes_on_one_folder_count_exactly() {
    let plan = Plan::on_files();
    let (key, folder) = (plan.key.clone(), plan.folder.clone());
    let first = plan.site(routes);
    let second = Plan { key, folder, ..Plan::on_files() }.site(routes);
    let visitor = first.visitor();
    visitor.get("/count").await.ok();
    let rush: Vec<_> = (0..40)
        .map(|number| {
            let visitor = visitor.at(if number % 2 == 0 { &first } else { &second });
            tokio::spawn(async move { visitor.get("/count").await.ok() })
        })
        .collect();
    for answer in rush {
        answer.await.unwrap();
    }
    assert_eq!(all(&visitor).await, json!({ "count": 41 }));
}

// spec: MID-8
#[tokio::test]
async fn a_planted_session_is_worthless_after_sign_in() {
    let site = site(routes);
    let attacker = site.visitor();
    attacker.get("/put/cart/planted").await.ok();
    let token = attacker.text("/token").await;
    let victim = attacker.thief();

    victim.get("/regenerate").await.ok();
    victim.get("/put/user/victim").await.ok();
    assert_eq!(all(&victim).await, json!({ "cart": "planted", "user": "victim" }), "contents move along");
    assert_ne!(victim.text("/token").await, token, "the token rotates");
    assert_eq!(all(&attacker).await, json!({}), "the old id is dead");
}

#[tokio::test]
async fn an_ended_session_stays_ended_whoever_brings_its_cookie_back() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/put/user/ada").await.ok();
    let thief = visitor.thief();

    let answer = visitor.get("/invalidate").await.ok();
    assert!(answer.cookies()[0].contains("Max-Age=0"), "{:?}", answer.cookies());
    assert_eq!(visitor.cookie("id"), None);
    assert_eq!(all(&thief).await, json!({}));
    site.clock.advance(std::time::Duration::from_secs(20));
    assert_eq!(thief.get("/put/user/ada").await.ok().cookies(), [""; 0]);
    assert_eq!(all(&thief).await, json!({}), "moments later the id takes nothing in");

    let old = thief.cookie("id");
    for minutes in [1, 60, 60, 600] {
        site.advance_minutes(minutes);
        let thief = thief.thief();
        thief.get("/put/user/mallory").await.ok();
        assert_ne!(thief.cookie("id"), old, "later its bearer gets another");
        assert_eq!(all(&thief).await, json!({ "user": "mallory" }));
    }
}

#[tokio::test]
async fn signing_out_can_leave_a_word() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/put/user/ada").await.ok();
    visitor.get("/sign-out").await.ok();
    assert_eq!(visitor.text("/view/status").await, "Goodbye.");
    assert_eq!(visitor.text("/get/user").await, "");
}

/// A site where `/slow` reads its session, then waits to be told before it writes.
fn slow_site() -> (Site, Arc<Notify>, Arc<Notify>) {
    let (reading, go_on) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let site = site({
        let (reading, go_on) = (reading.clone(), go_on.clone());
        move |route| {
            routes(route);
            let slow = async move |change: &str| -> Result<()> {
                session().get::<String>("user").await?;
                reading.notify_one();
                go_on.notified().await;
                if change == "regenerate" {
                    session().regenerate();
                }
                session().put("slow", "was here")
            };
            route.get("/slow/{change}", async move |Path(change): Path<String>| slow(&change).await);
        }
    });
    (site, reading, go_on)
}

/// Starts `/slow`, lets `meanwhile` happen, and gives the slow request's cookies.
async fn while_slow(
    path: &'static str,
    meanwhile: impl AsyncFn(&Site, &Visitor),
) -> (Site, Visitor, Vec<String>) {
    let (site, reading, go_on) = slow_site();
    let visitor = site.visitor();
    visitor.get("/put/user/ada").await.ok();
    let slow = visitor.thief();
    let slow_request = tokio::spawn({
        let slow = slow.clone();
        async move { slow.get(path).await.ok() }
    });
    in_time("the slow request to have read", reading.notified()).await;
    meanwhile(&site, &visitor).await;
    go_on.notify_one();
    let cookies = in_time("the slow request", slow_request).await.unwrap().cookies();
    (site, slow, cookies)
}

#[tokio::test]
async fn a_request_under_way_cannot_bring_an_ended_session_back() {
    let (_site, slow, cookies) =
        while_slow("/slow/put", async |_, visitor| drop(visitor.get("/invalidate").await.ok())).await;
    assert_eq!(cookies, [""; 0], "nor overwrite the cookie that the sign-out has set");
    assert_eq!(all(&slow).await, json!({}));
}

#[tokio::test]
async fn a_request_under_way_cannot_carry_an_ended_session_off_to_a_new_id() {
    let (_site, slow, _) =
        while_slow("/slow/regenerate", async |_, visitor| drop(visitor.get("/invalidate").await.ok())).await;
    assert_eq!(
        all(&slow).await,
        json!({ "slow": "was here" }),
        "its own changes, and nothing of the old session"
    );
}

#[tokio::test]
async fn a_record_that_was_removed_behind_our_back_is_not_brought_back() {
    let (_site, slow, cookies) = while_slow("/slow/put", async |site, visitor| {
        let id = SessionId::from_hex(&visitor.text("/id").await).unwrap();
        site.store.remove(&id).await.unwrap();
    })
    .await;
    assert_eq!(cookies, [""; 0]);
    assert_eq!(all(&slow).await, json!({}));
}

#[tokio::test]
async fn a_move_takes_along_what_came_in_at_the_last_moment() {
    let (_site, slow, _) =
        while_slow("/slow/regenerate", async |_, visitor| drop(visitor.get("/put/late/word").await.ok()))
            .await;
    assert_eq!(all(&slow).await, json!({ "user": "ada", "late": "word", "slow": "was here" }));
}

#[tokio::test]
async fn a_forged_cut_or_foreign_cookie_is_no_cookie() {
    let (here, elsewhere) = (site(routes), site(routes));
    let visitor = here.visitor();
    visitor.get("/put/user/ada").await.ok();
    let good = visitor.cookie("id").unwrap();
    let (body, signature) = good.split_once('.').unwrap();
    let foreign = elsewhere.visitor();
    foreign.get("/put/user/eve").await.ok();
    let foreign = foreign.cookie("id").unwrap();
    let flipped = format!("{}{}", if body.starts_with('A') { 'B' } else { 'A' }, &good[1..]);
    let cases = [
        "",
        ".",
        "x",
        body,
        &good[..good.len() - 1],
        &flipped,
        &foreign,
        &format!("{body}."),
        &format!(".{signature}"),
        &format!("{signature}.{body}"),
        &format!("{good}{good}"),
        "%00%ff",
        &"a".repeat(4000),
    ];
    for forged in cases {
        let forger = here.visitor();
        forger.set_cookie("id", forged);
        assert_eq!(all(&forger).await, json!({}), "{forged}");
        forger.get("/put/a/b").await.ok();
        assert_ne!(forger.cookie("id").as_deref(), Some(forged), "its bearer gets a session of his own");
    }
    assert_eq!(all(&visitor).await, json!({ "user": "ada" }));
}

#[tokio::test]
async fn a_session_lives_while_it_is_used_and_ends_when_it_is_not() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/put/user/ada").await.ok();
    for _ in 0..5 {
        site.advance_minutes(100);
        let answer = visitor.get("/get/user").await.ok();
        assert_eq!(answer.text(), "ada");
        assert!(answer.cookies()[0].contains("Max-Age=7200"), "the browser is told, too");
    }
    let old = visitor.cookie("id");
    site.advance_minutes(120);
    assert_eq!(visitor.text("/get/user").await, "");
    visitor.get("/put/user/eve").await.ok();
    assert_ne!(visitor.cookie("id"), old);
}

#[tokio::test]
async fn a_living_session_is_not_written_for_every_visit() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/put/user/ada").await.ok();
    let (_, writes) = site.store.counts();
    for _ in 0..5 {
        site.advance_minutes(1);
        assert_eq!(visitor.get("/get/user").await.ok().cookies(), [""; 0]);
    }
    assert_eq!(site.store.counts().1, writes);
    site.advance_minutes(1);
    assert_eq!(visitor.get("/get/user").await.ok().cookies().len(), 1);
    assert_eq!(site.store.counts().1, writes + 1);
}

#[tokio::test]
async fn garbage_collection_takes_what_is_over() {
    let site = site(routes);
    let (early, late) = (site.visitor(), site.visitor());
    early.get("/put/user/ada").await.ok();
    site.advance_minutes(60);
    late.get("/put/user/eve").await.ok();
    site.advance_minutes(60);
    assert_eq!(site.sessions().collect_garbage().await.unwrap(), 1);
    assert_eq!(late.text("/get/user").await, "eve");
    assert_eq!(site.store.inner.len(), 1);
}

#[tokio::test]
async fn expired_sessions_are_swept_away_while_the_site_is_used() {
    let mut plan = Plan::default();
    plan.session.sweep_every = 5;
    let site = plan.site(routes);
    for _ in 0..4 {
        site.visitor().get("/put/a/b").await.ok();
    }
    site.advance_minutes(121);
    site.visitor().get("/put/a/b").await.ok();
    housekey_test_support::happens("the sweep", || site.store.inner.len() == 1).await;
}

#[tokio::test]
async fn there_is_one_sweep_at_a_time() {
    let mut plan = Plan::default();
    plan.session.sweep_every = 1;
    let site = plan.site(routes);
    let sweeps = || site.store.sweeps.load(Ordering::SeqCst);
    let gate = site.store.sweep_gate.lock().await;
    for _ in 0..20 {
        site.visitor().get("/put/a/b").await.ok();
    }
    for _ in 0..100 {
        tokio::task::yield_now().await;
    }
    assert_eq!(sweeps(), 1, "it is not over yet");
    drop(gate);
    housekey_test_support::until_async("the next sweep", async || {
        site.visitor().get("/put/a/b").await.ok();
        sweeps() > 1
    })
    .await;
}

#[tokio::test]
async fn files_hold_no_readable_word_and_a_broken_one_is_an_empty_session() {
    let site = Plan::on_files().site(routes);
    let visitor = site.visitor();
    visitor.get("/put/secret/correcthorse").await.ok();
    let folder = site.folder.path().join("storage/framework/sessions");
    let files = || {
        fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|path| !path.file_name().unwrap().to_str().unwrap().starts_with('.'))
    };
    let file = files().next().unwrap();
    let content = fs::read(&file).unwrap();
    assert!(!String::from_utf8_lossy(&content).contains("correcthorse"));

    for broken in [&content[..content.len() / 2], b"", b"\xff\x00garbage", &[&content[..], b"x"].concat()] {
        fs::write(&file, broken).unwrap();
        assert_eq!(all(&visitor).await, json!({}));
    }
    visitor.get("/put/name/Ada").await.ok();
    assert_eq!(all(&visitor).await, json!({ "name": "Ada" }), "and it can be used again");
}

#[tokio::test]
async fn sessions_can_be_kept_plain_and_switching_ends_none() {
    let mut plan = Plan::on_files();
    plan.session.encrypt = false;
    let (key, folder) = (plan.key.clone(), plan.folder.clone());
    let plain = plan.site(routes);
    let visitor = plain.visitor();
    visitor.get("/put/name/Ada").await.ok();
    let sealed = Plan { key, folder, ..Plan::on_files() }.site(routes);
    assert_eq!(visitor.at(&sealed).text("/get/name").await, "Ada");
}

#[tokio::test]
async fn a_store_that_cannot_be_reached_is_an_error_and_never_an_empty_session() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/flash/user/ada").await.ok();
    site.store.is_down.store(true, Ordering::SeqCst);
    assert_eq!(visitor.get("/get/user").await.status, 500);
    assert_eq!(visitor.get("/put/user/eve").await.status, 500);
    assert_eq!(visitor.get("/nothing").await.status, 200, "who does not need it is served");
    site.store.is_down.store(false, Ordering::SeqCst);
    assert_eq!(visitor.text("/view/user").await, "ada", "and what was flashed is still there");
}

#[tokio::test]
async fn asking_for_the_id_or_the_token_gives_a_cookie_and_writes_nothing() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/token").await;
    let id = visitor.text("/id").await;
    assert_eq!((token.len(), id.len()), (43, 32));
    assert_eq!(visitor.text("/token").await, token);
    assert_eq!(visitor.text("/id").await, id);
    assert_eq!(site.store.counts(), (0, 0));
    visitor.get("/put/name/Ada").await.ok();
    assert_eq!(visitor.text("/id").await, id, "and the first write keeps both");
    assert_eq!(visitor.text("/token").await, token);
}

#[test]
fn a_wrong_configuration_is_told_at_boot() {
    let session = SessionConfig { driver: "memcached".into(), ..SessionConfig::default() };
    let result = std::panic::catch_unwind(|| Plan { session, ..Plan::default() }.site(routes));
    let panic = result.map(drop).unwrap_err();
    let message = panic.downcast_ref::<String>().unwrap();
    assert!(
        message.contains("`memcached`") && message.contains("file, memory") && message.contains("watched"),
        "{message}"
    );
}

#[tokio::test]
async fn outside_a_request_there_is_no_session_to_leak_from() {
    let site = site(routes);
    site.visitor().get("/put/user/ada").await.ok();
    assert!(session().all().await.unwrap().is_empty());
    assert_eq!(csrf_token(), "");
    assert_eq!(flashed::<String>("status"), None);
}

//! `auth:events` and `auth:prune`, on each database.

use housekey_auth::engine::options::{EmailAndPassword, EngineOptions};
use housekey_auth::engine::{Engine, SignInEmail, SignUpEmail};
use housekey_database::testing::TestDatabase;
use housekey_database::{Record, on_every_engine, record};
use housekey_engine_sql::SqlStorage;
use time::{Duration, OffsetDateTime};

use crate::{SECRET, Site};

const PASSWORD: &str = "correct horse";

on_every_engine!(
    events_are_shown_the_newest_first_and_by_what_is_asked_for,
    what_has_run_out_is_removed_in_pieces_and_nothing_else,
    people_sign_in_while_it_is_removed,
);

fn site(test: &TestDatabase) -> Site {
    let mut site = Site::on(test);
    site.variables.push(("EVENTS", "1".to_owned()));
    site.ok("auth:schema --migrate");
    site
}

fn ago(age: Duration) -> OffsetDateTime {
    OffsetDateTime::now_utc() - age
}

fn event(id: &str, kind: &str, user: Option<&str>, age: Duration) -> Record {
    record! {
        "id" => id, "kind" => kind, "userId" => user, "address" => "203.0.113.9",
        "detail" => serde_json::json!({ "method": "password" }), "createdAt" => ago(age),
    }
}

/// The engine that people meet while a command runs.
fn engine(test: &TestDatabase) -> Engine {
    let options = EngineOptions {
        secret: SECRET.into(),
        production: false,
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    Engine::build(options, SqlStorage::new(test.db.clone())).unwrap()
}

async fn sign_up(engine: &Engine, email: &str) -> String {
    let input = SignUpEmail {
        name: "Ada".into(),
        email: email.into(),
        password: PASSWORD.into(),
        ..Default::default()
    };
    engine.api().sign_up_email(input).await.unwrap().user.id
}

// spec: SEC-9
async fn events_are_shown_the_newest_first_and_by_what_is_asked_for(test: TestDatabase) {
    let site = site(&test);
    let ada = sign_up(&engine(&test), "ada@example.com").await;
    let rows = [
        event("1", "sign-in", Some(&ada), Duration::hours(1)),
        event("2", "sign-in-refused", None, Duration::hours(2)),
        event("3", "sign-out", Some(&ada), Duration::days(3)),
    ];
    test.db.table("securityEvent").insert_many(rows).await.unwrap();

    // Around them stands what the test says that runs the console.
    let lines = |said: &str| {
        let rows = said.lines().filter(|line| line.starts_with("20") || line.starts_with('{'));
        rows.map(str::to_owned).collect::<Vec<_>>()
    };
    let all = lines(&site.ok("auth:events"));
    assert!(
        all[0].contains(" sign-in ") && all[0].contains(&ada) && all[0].contains("203.0.113.9"),
        "{all:?}"
    );
    assert!(all[0].ends_with("method=password"), "{all:?}");
    assert!(all[1].contains(" sign-in-refused ") && all[2].contains(" sign-out "), "{all:?}");
    assert_eq!(lines(&site.ok("auth:events --user ADA@example.com")).len(), 2);
    assert_eq!(lines(&site.ok(&format!("auth:events --user {ada} --since 24h"))).len(), 1);
    assert_eq!(lines(&site.ok("auth:events --kind sign-out")).len(), 1);
    assert_eq!(lines(&site.ok("auth:events --limit 2")).len(), 2);
    let json = lines(&site.ok("auth:events --kind sign-in --json"));
    let json: serde_json::Value = serde_json::from_str(&json[0]).unwrap();
    assert_eq!((json["kind"].as_str(), json["userId"].as_str()), (Some("sign-in"), Some(ada.as_str())));
    assert_eq!(json["detail"]["method"], "password");

    assert!(site.ok("auth:events --kind sign-inn").contains("Kinds are: sign-up, sign-in,"));
    assert!(site.fails("auth:events --user nobody@example.com").contains("nobody has the address"));
    assert!(site.fails("auth:events --since yesterday").contains("30m, 24h or 7d"));
}

// spec: SEC-9
async fn what_has_run_out_is_removed_in_pieces_and_nothing_else(test: TestDatabase) {
    let site = site(&test);
    let ada = sign_up(&engine(&test), "ada@example.com").await;
    let hour = Duration::hours(1);
    // More than two pieces of each, the living ones among them by their ids.
    let events = (0..1203).map(|number| {
        let age = if number % 3 == 0 { Duration::days(89) } else { Duration::days(90) + hour };
        event(&format!("event-{number:05}"), "sign-in", Some(&ada), age)
    });
    test.db.table("securityEvent").insert_many(events).await.unwrap();
    let sessions = (0..1203).map(|number| {
        let age = if number % 3 == 0 { -hour } else { hour };
        record! {
            "id" => format!("session-{number:05}"), "token" => format!("token-{number}"), "userId" => ada.as_str(),
            "expiresAt" => ago(age), "createdAt" => ago(hour), "updatedAt" => ago(hour),
        }
    });
    test.db.table("session").insert_many(sessions).await.unwrap();
    let links = (0..1203).map(|number| {
        let age = if number % 3 == 0 { -hour } else { hour };
        record! {
            "id" => format!("link-{number:05}"), "identifier" => format!("link-{number}"), "value" => ada.as_str(),
            "expiresAt" => ago(age), "createdAt" => ago(hour), "updatedAt" => ago(hour),
        }
    });
    test.db.table("verification").insert_many(links).await.unwrap();

    let said = site.ok("auth:prune --pretend");
    for words in
        ["802 old events would go", "802 expired sessions would go", "802 expired links and codes would go"]
    {
        assert!(said.contains(words), "{said}");
    }
    let count = async |table: &str| test.db.table(table).count().await.unwrap();
    // The session of the sign-up lives too.
    assert_eq!(
        (count("securityEvent").await, count("session").await, count("verification").await),
        (1203, 1204, 1203)
    );
    let said = site.ok("auth:prune");
    for words in
        ["802 old events removed", "802 expired sessions removed", "802 expired links and codes removed"]
    {
        assert!(said.contains(words), "{said}");
    }
    assert_eq!(
        (count("securityEvent").await, count("session").await, count("verification").await),
        (401, 402, 401)
    );
    let left = test.db.table("session").where_("expiresAt", "<", ago(Duration::ZERO)).count().await.unwrap();
    assert_eq!(left, 0);
    let said = site.ok("auth:prune");
    assert!(said.contains("0 old events removed") && said.contains("0 expired sessions removed"), "{said}");
}

// spec: SEC-9
async fn people_sign_in_while_it_is_removed(test: TestDatabase) {
    let site = site(&test);
    let engine = engine(&test);
    let ada = sign_up(&engine, "ada@example.com").await;
    let hour = Duration::hours(1);
    for table in ["session", "verification"] {
        let rows = (0..3000).map(|number| {
            let row = record! {
                "id" => format!("{table}-{number:05}"), "expiresAt" => ago(hour), "createdAt" => ago(hour),
                "updatedAt" => ago(hour),
            };
            match table {
                "session" => row.with("token", format!("token-{number}")).with("userId", ada.as_str()),
                _ => row.with("identifier", format!("link-{number}")).with("value", "x"),
            }
        });
        test.db.table(table).insert_many(rows).await.unwrap();
    }
    let pruned = tokio::task::spawn_blocking(move || site.ok("auth:prune"));
    let mut sign_ins = 0;
    while !pruned.is_finished() || sign_ins < 3 {
        let input =
            SignInEmail { email: "ada@example.com".into(), password: PASSWORD.into(), ..Default::default() };
        engine.api().sign_in_email(input).await.unwrap();
        // Looking for a link sweeps, too: both take the same rows.
        engine.api().verifications().find("a link").await.unwrap();
        sign_ins += 1;
    }
    pruned.await.unwrap();
    let living = test.db.table("session").count().await.unwrap();
    assert_eq!(living, sign_ins + 1, "every sign-in has its session, and the sign-up");
}

#[test]
fn events_that_are_not_kept_cannot_be_shown_and_it_is_said_how_to_keep_them() {
    let mut site = Site::new();
    let said = site.fails("auth:events");
    assert!(said.contains("they are only logged") && said.contains("Events::kept(90)"), "{said}");
    site.ok("auth:schema --migrate");
    let said = site.ok("auth:prune");
    assert!(!said.contains("events") && said.contains("0 expired sessions removed"), "{said}");

    site.variables.push(("EVENTS", "1".to_owned()));
    let said = site.ok("auth:schema --diff --migrate");
    assert!(said.contains("_add_security_event_to_auth migrated in"), "{said}");
    assert!(site.ok("auth:events").contains("There is nothing to show."));
}

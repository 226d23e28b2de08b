//! Two processes of one app on PostgreSQL and Redis, behind a proxy, with a copy of the session in a cookie. The
//! processes are this test binary started again; Redis is a server of the test's own, which goes away and comes back.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(unreachable_pub, reason = "migrations look as they do in an app")]

mod app;
mod client;
mod process;
mod redis;

use std::ffi::OsString;
use std::process::ExitCode;

use housekey::AppKey;
use housekey::database::testing::TestDatabase;
use housekey_test_support::until;

use crate::app::TRIES;
use crate::client::{Browser, ORIGIN, guess};
use crate::process::{CHILD, Server, command};
use crate::redis::RedisServer;

#[test]
#[ignore = "a process of the app, which the tests below start"]
fn runs_the_console_when_started_as_a_child_process() {
    let arguments =
        std::env::var(CHILD).expect("the tests below start it, with the arguments of the console");
    let arguments = std::iter::once("app").chain(arguments.split_whitespace()).map(OsString::from);
    assert_eq!(housekey::console::run_with(app::app(), arguments), ExitCode::SUCCESS);
}

/// Both processes and what they share.
struct House {
    one: Server,
    two: Server,
    redis: RedisServer,
    test: TestDatabase,
    _folder: tempfile::TempDir,
}

impl House {
    async fn open() -> Self {
        let (test, redis, folder) =
            (TestDatabase::postgres().await, RedisServer::start(), tempfile::tempdir().unwrap());
        let variables = [
            ("APP_ENV", "production".to_owned()),
            ("APP_KEY", AppKey::generate().to_text().reveal().to_owned()),
            ("APP_URL", ORIGIN.to_owned()),
            ("AUTH_SECRET", AppKey::generate().to_text().reveal().to_owned()),
            ("CACHE_STORE", "redis".to_owned()),
            ("DATABASE_URL", test.config.url.reveal().to_owned()),
            ("REDIS_URL", redis.url()),
            ("TRUSTED_PROXIES", "127.0.0.1".to_owned()),
        ];
        let run = |arguments: &str| command(folder.path(), &variables, arguments);
        let migrated = housekey_test_support::run(&mut run("migrate --force"));
        assert!(migrated.status.success(), "{migrated:?}");
        let serve = || Server::start(run("serve --port 0"));
        Self { one: serve(), two: serve(), redis, test, _folder: folder }
    }

    /// Who a browser is for both processes.
    fn names(&self, browser: &Browser) -> [Option<String>; 2] {
        [browser.name_at(&self.one), browser.name_at(&self.two)]
    }

    /// Takes a session's row away behind the app's back: whoever is still known is known by the copy alone.
    async fn forget(&self, browser: &Browser) {
        let rows = self.test.db.table("session").where_eq("token", browser.token.clone());
        assert_eq!(rows.delete().await.unwrap(), 1);
    }
}

fn both(name: &str) -> [Option<String>; 2] {
    [Some(name.to_owned()), Some(name.to_owned())]
}

const NOBODY: [Option<String>; 2] = [None, None];

// spec: STA-6, EPC-1, CFG-10
#[tokio::test(flavor = "multi_thread")]
async fn a_session_ended_in_one_process_is_refused_by_the_other_although_its_copy_is_fresh() {
    let house = House::open().await;
    let laptop = Browser::sign_up(&house.one, "203.0.113.1", "ada");
    let phone = Browser::sign_in(&house.one, "203.0.113.2", "ada");
    assert!(phone.has_copy());
    assert_eq!(house.names(&phone), both("ada"));

    // Copies are believed without a look at the database, or the rest would prove nothing.
    let ghost = Browser::sign_up(&house.two, "203.0.113.3", "bob");
    house.forget(&ghost).await;
    assert_eq!(house.names(&ghost), both("bob"));

    laptop.revoke_others(&house.one);
    assert_eq!(phone.name_at(&house.two), None, "at its very next request");
    assert_eq!(house.names(&phone), NOBODY);
    assert_eq!(house.names(&laptop), both("ada"));
    assert_eq!(house.names(&ghost), both("bob"), "somebody else's copy is as good as before");
}

// spec: IP-1, IP-4, CFG-9
#[tokio::test(flavor = "multi_thread")]
async fn both_processes_count_the_attempts_of_a_client_in_one_bucket() {
    let house = House::open().await;
    let servers = [&house.one, &house.two];
    let answers: Vec<u16> = (0..TRIES).map(|n| guess(servers[n % 2], "198.51.100.7")).collect();
    assert_eq!(answers, [401; TRIES]);
    assert_eq!(servers.map(|server| guess(server, "198.51.100.7")), [429, 429]);
    assert_eq!(
        servers.map(|server| guess(server, "198.51.100.8")),
        [401, 401],
        "others have buckets of their own"
    );
    // What a client wrote before the proxy added its address makes nobody new.
    assert_eq!(servers.map(|server| guess(server, "192.0.2.1, 198.51.100.7")), [429, 429]);
}

// spec: EPC-1, EPC-2, STA-6, IP-4
#[tokio::test(flavor = "multi_thread")]
async fn while_redis_is_away_all_stays_correct_and_when_it_is_back_copies_count_again() {
    let mut house = House::open().await;
    let laptop = Browser::sign_up(&house.one, "203.0.113.1", "ada");
    let phone = Browser::sign_in(&house.one, "203.0.113.2", "ada");
    let ghost = Browser::sign_up(&house.two, "203.0.113.3", "bob");
    house.forget(&ghost).await;
    assert_eq!(house.names(&phone), both("ada"));
    assert_eq!(house.names(&ghost), both("bob"));

    house.redis.go_away();
    assert_eq!(house.names(&laptop), both("ada"), "the database knows");
    assert_eq!(house.names(&phone), both("ada"));
    assert_eq!(house.names(&ghost), NOBODY, "no copy is believed");
    laptop.revoke_others(&house.one);
    assert_eq!(house.names(&phone), NOBODY);
    assert_eq!(house.names(&laptop), both("ada"));
    for server in [&house.one, &house.two] {
        let newcomer = Browser::sign_in(server, "203.0.113.4", "ada");
        assert_eq!(house.names(&newcomer), both("ada"));
        // Each process counts for itself, and still does.
        let answers: Vec<u16> = (0..=TRIES).map(|_| guess(server, "198.51.100.7")).collect();
        assert_eq!(answers.iter().filter(|status| **status == 401).count(), TRIES, "{answers:?}");
        assert_eq!(answers[TRIES], 429);
    }

    house.redis.come_back();
    until("copies are believed again", || {
        assert_eq!(house.names(&phone), NOBODY, "Redis came back with the number from before the revocation");
        house.names(&ghost) == both("bob")
    });
    assert_eq!(house.names(&phone), NOBODY);
    assert_eq!(house.names(&laptop), both("ada"));
    let fresh = Browser::sign_in(&house.one, "203.0.113.5", "ada");
    assert!(fresh.has_copy());
    house.forget(&fresh).await;
    assert_eq!(house.names(&fresh), both("ada"));
    let servers = [&house.one, &house.two];
    let answers: Vec<u16> = (0..=TRIES).map(|n| guess(servers[n % 2], "198.51.100.9")).collect();
    assert_eq!(answers[TRIES], 429, "one bucket again: {answers:?}");
}

// spec: EPC-2, STA-6
#[tokio::test(flavor = "multi_thread")]
async fn a_process_that_nobody_asked_while_redis_was_away_learns_of_it_too() {
    let mut house = House::open().await;
    let laptop = Browser::sign_up(&house.one, "203.0.113.1", "ada");
    let phone = Browser::sign_in(&house.one, "203.0.113.2", "ada");
    let ghost = Browser::sign_up(&house.two, "203.0.113.3", "bob");
    house.forget(&ghost).await;
    assert_eq!(house.names(&phone), both("ada"));
    assert_eq!(house.names(&ghost), both("bob"));
    house.redis.go_away();
    laptop.revoke_others(&house.one);
    house.redis.come_back();
    until("copies are believed again", || {
        assert_eq!(house.names(&phone), NOBODY);
        house.names(&ghost) == both("bob")
    });
    assert_eq!(house.names(&phone), NOBODY);
}

//! Two real servers, over Redis and over PostgreSQL: what is said at one is heard at the other.

use std::io::Write as _;
use std::net::SocketAddr;
use std::path::PathBuf;

use housekey_auth::Auth;
use housekey_cache::CacheConfig;
use housekey_core::{AppConfig, AppKey, Config, EncryptionConfig, Env, Environment, random};
use housekey_database::testing::TestDatabase;
use housekey_database::{ConnectionConfig, DatabaseConfig};
use housekey_http::session::SessionConfig;
use housekey_http::{Application, Server};
use housekey_redis::{Redis, RedisConfig, client::cmd};
use housekey_test_support::{Program, in_time, this_test, until_async};
use serde::{Deserialize, Serialize};
use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use crate::clients::{Events, Socket};
use crate::shop::{self, COOKIE, PASSWORD};

const CHILD: &str = "HOUSEKEY_LIVE_TEST_SERVER";

/// What a parent tells its child.
#[derive(Clone, Serialize, Deserialize)]
struct Orders {
    driver: String,
    database: Box<ConnectionConfig>,
    redis: String,
    folder: PathBuf,
    key: String,
    /// Tells the apps of tests that run side by side apart.
    name: String,
}

impl Orders {
    fn new(driver: &str, test: &TestDatabase) -> Self {
        Self {
            driver: driver.into(),
            database: Box::new(test.config.clone()),
            redis: std::env::var("HOUSEKEY_TEST_REDIS_URL").expect("cargo xtask services starts Redis"),
            folder: test.paths().root().to_owned(),
            key: AppKey::generate().to_text().reveal().to_owned(),
            name: format!("live {}", random::lowercase(12)),
        }
    }

    fn open(&self) -> Application {
        let orders = self.clone();
        let app = shop::app(move |live| (live.driver, live.recheck) = (orders.driver, 3_600));
        let orders = self.clone();
        let configure = move |config: &mut Config| {
            config.update::<AppConfig>(|app| (app.name, app.env) = (orders.name, Environment::Testing));
            config.update::<EncryptionConfig>(|encryption| encryption.key = orders.key.into());
            config.update::<SessionConfig>(|session| session.driver = "memory".into());
            config.update::<CacheConfig>(|cache| cache.store = "memory".into());
            config
                .update::<RedisConfig>(|redis| *redis = RedisConfig::default().with("default", orders.redis));
            config.update::<DatabaseConfig>(|all| {
                *all = DatabaseConfig { default: "test".into(), ..DatabaseConfig::default() }
                    .with("test", *orders.database);
            });
        };
        app.root(&self.folder).env(Env::empty()).configure(configure).boot().unwrap()
    }

    fn start(&self) -> (Program, SocketAddr) {
        let mut command = this_test("processes::serves_when_started_as_a_child_process");
        let program = Program::start(command.env(CHILD, serde_json::to_string(self).unwrap()));
        let line = program.says("listens at ");
        let address = line.rsplit_once("listens at ").unwrap().1.trim().parse().unwrap();
        (program, address)
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the process that the tests in this file start"]
async fn serves_when_started_as_a_child_process() {
    let orders = std::env::var(CHILD).expect("the tests in this file start it, with its orders");
    let application = serde_json::from_str::<Orders>(&orders).unwrap().open();
    let server = Server::bind_to(&application, "127.0.0.1", 0).await.unwrap();
    writeln!(std::io::stdout(), "listens at {}", server.local_addr()).unwrap();
    // Until it is told to stop, by a signal.
    server.run().await.unwrap();
}

/// Posts something, and gives the whole answer.
async fn post(server: SocketAddr, path: &str, headers: &str, body: &str) -> String {
    let mut socket = TcpStream::connect(server).await.unwrap();
    let request = format!(
        "POST {path} HTTP/1.0\r\nhost: {server}\r\n{headers}content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    socket.write_all(request.as_bytes()).await.unwrap();
    let mut answer = String::new();
    in_time("an answer", socket.read_to_string(&mut answer)).await.unwrap();
    assert!(answer.split(' ').nth(1) == Some("200"), "{path}: {answer}");
    answer
}

async fn reaches_every_process(orders: &Orders, break_carrier: impl AsyncFn()) {
    let here = orders.open();
    here.scope().enter(async { shop::make_tables(&Auth::current().unwrap()).await }).await;
    let ((_one, one), (mut two_program, two)) = (orders.start(), orders.start());

    // Somebody signs up at the first, and is known at the second.
    let origin = "origin: http://localhost:8000\r\n";
    let base_url = Auth::of(here.services()).unwrap().config().engine.base_url.clone();
    let origin = if base_url.is_empty() { origin.to_owned() } else { format!("origin: {base_url}\r\n") };
    let person = json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD });
    let answer = post(one, "/api/auth/sign-up/email", &origin, &person.to_string()).await;
    let cookie =
        answer.lines().find_map(|line| line.strip_prefix(&format!("set-cookie: {COOKIE}="))).unwrap();
    let cookie = format!("{COOKIE}={}", cookie.split(';').next().unwrap());
    let (_, body) = answer.split_once("\r\n\r\n").unwrap();
    let body: serde_json::Value = serde_json::from_str(body).unwrap();
    let channel = format!("people.{}", body["user"]["id"].as_str().unwrap());

    let header = format!("cookie: {cookie}");
    let mut events = Events::open(two, &format!("news,{channel}"), &[&header]).await;
    let mut socket = Socket::open(one, &cookie).await;
    socket.subscribe(&["news", &channel]).await;
    assert_eq!(Events::ask(two, &channel, &[]).await.status(), 403, "a guest");

    // Said at either, heard at both; and by a process that only speaks, as a worker does.
    let say = |text: String| {
        let here = here.clone();
        async move {
            here.scope().enter(async { housekey_live::broadcast("news", &text).await }).await.unwrap();
        }
    };
    for number in 0..20 {
        say(format!("number {number}")).await;
        assert_eq!(events.message().await, format!("number {number}"));
        assert_eq!(socket.message().await, format!("number {number}"));
    }
    // More than PostgreSQL carries in one piece.
    say("x".repeat(60_000)).await;
    assert_eq!(events.message().await.as_str().map(str::len), Some(60_000));
    assert_eq!(socket.message().await.as_str().map(str::len), Some(60_000));

    // Who was away comes back to another process, and gets what they missed.
    say("last seen".into()).await;
    let last = events.next().await.unwrap().id;
    assert_eq!(socket.message().await, "last seen");
    say("meanwhile".into()).await;
    assert_eq!(events.message().await, "meanwhile");
    assert_eq!(socket.message().await, "meanwhile");
    let mut back = Events::open(one, "news", &[&format!("last-event-id: {last}")]).await;
    assert_eq!(back.message().await, "meanwhile");

    // Something that nobody sealed, and something that was sealed for another app.
    let mut stranger = orders.clone();
    stranger.key = AppKey::generate().to_text().reveal().to_owned();
    let forger = stranger.open();
    forger.scope().enter(async { housekey_live::broadcast("news", "forged").await }).await.unwrap();
    say("genuine".into()).await;
    assert_eq!(events.message().await, "genuine");
    assert_eq!(socket.message().await, "genuine");

    // The carrier breaks: everybody is told that something may be missing, and hears on.
    break_carrier().await;
    assert_eq!(events.next().await.unwrap().kind, "missed");
    assert_eq!(socket.next().await, json!({ "type": "missed" }));
    say("after the gap".into()).await;
    assert_eq!(events.message().await, "after the gap");
    assert_eq!(socket.message().await, "after the gap");

    // One server stops, and tells those who listen there; the other goes on.
    let mut leaving = Socket::open(two, &cookie).await;
    leaving.subscribe(&["news"]).await;
    let mut other = Events::open(two, "news", &[]).await;
    let signal = std::process::Command::new("kill").args(["-TERM", &two_program.id().to_string()]).status();
    assert!(signal.unwrap().success());
    assert_eq!(other.end().await, json!({ "reason": "stopping" }));
    assert_eq!(events.end().await, json!({ "reason": "stopping" }));
    assert_eq!(leaving.next().await, json!({ "closed": 1001 }));
    leaving.next().await;
    assert!(two_program.ended().success());

    // A third takes its place. A sign-out there ends the stream here.
    let (_three, three) = orders.start();
    let sign_out = format!("{origin}cookie: {cookie}\r\n");
    post(three, "/api/auth/sign-out", &sign_out, "{}").await;
    assert_eq!(socket.next().await, json!({ "closed": 4401 }));
}

// spec: WRK-3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_redis_a_message_reaches_the_listeners_of_every_process() {
    let test = TestDatabase::postgres().await;
    let orders = Orders::new("redis", &test);
    let redis = Redis::at(&orders.redis, "").unwrap();
    let channel = format!("{}:live", orders.name.replace(' ', "_"));
    let break_carrier = async || {
        // Nobody else in these tests subscribes to anything.
        let killed: u32 = redis.command(cmd("CLIENT").arg(&["KILL", "TYPE", "pubsub"])).await.unwrap();
        assert!(killed >= 2);
        until_async("both to listen again", async || {
            let heard: Vec<(String, u32)> =
                redis.command(cmd("PUBSUB").arg("NUMSUB").arg(&channel)).await.unwrap();
            heard[0].1 == 2
        })
        .await;
    };
    reaches_every_process(&orders, break_carrier).await;
}

// spec: WRK-3
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn over_postgres_a_message_reaches_the_listeners_of_every_process() {
    let test = TestDatabase::postgres().await;
    let orders = Orders::new("postgres", &test);
    let listening = format!("housekey: housekey_live_{}", orders.name.replace(' ', "_"));
    let break_carrier = async || {
        let count = async || {
            let sql = "select pid from pg_stat_activity where application_name = $1";
            test.db.raw(sql, [listening.as_str().into()]).await.unwrap().len()
        };
        assert_eq!(count().await, 2);
        let sql = "select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1";
        test.db.raw(sql, [listening.as_str().into()]).await.unwrap();
        until_async("both to listen again", async || count().await == 2).await;
    };
    reaches_every_process(&orders, break_carrier).await;
}

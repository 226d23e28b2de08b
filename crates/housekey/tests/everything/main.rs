//! One app with every feature, from a request to the mail it leads to: the visitor's request in this process, the
//! worker in another one, which is this test binary started again.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(unreachable_pub, reason = "config files and migrations look as they do in an app")]

mod app;
mod config;
mod export;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::ExitCode;

use housekey::mail::TransportConfig;
use housekey::notifications::route;
use housekey::prelude::{AppMail, AppNotifications, db, mail, notify, record};
use housekey::testing::TestApp;
use housekey::{AppConfig, AppKey, EncryptionConfig, Environment, MailConfig, Paths};
use housekey_test_support::{run, this_test};

const CHILD: &str = "HOUSEKEY_EVERYTHING_ARGUMENTS";
const STORAGE: &str = "HOUSEKEY_EVERYTHING_STORAGE";

#[test]
#[ignore = "a process of the app, which the tests below start"]
fn runs_the_console_when_started_as_a_child_process() {
    let arguments =
        std::env::var(CHILD).expect("the tests below start it, with the arguments of the console");
    let paths = Paths::discover().with_storage(std::env::var(STORAGE).unwrap());
    let arguments = std::iter::once("app").chain(arguments.split_whitespace()).map(OsString::from);
    assert_eq!(housekey::console::run_with(app::app().at(paths), arguments), ExitCode::SUCCESS);
}

/// An app in a folder of its own, with a database that its worker shares.
struct Site {
    folder: tempfile::TempDir,
    app: TestApp,
}

impl Site {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let key = AppKey::generate().to_text();
        let variables = format!("APP_ENV=development\nAPP_KEY={}\nQUEUE_DRIVER=database\n", key.reveal());
        for file in [".env", ".env.testing"] {
            std::fs::write(folder.path().join(file), &variables).unwrap();
        }
        let root: PathBuf = folder.path().into();
        let app = TestApp::new(move || app::app().root(root.clone())).with_config(move |config| {
            // Under a test runner mail is faked and jobs are done at once. Here the real ones are meant.
            config.update::<AppConfig>(|app| app.env = Environment::Development);
            config.update::<EncryptionConfig>(|encryption| encryption.key = key.clone());
        });
        Self { folder, app }
    }

    /// Runs a command of the app in a process of its own and gives what it said.
    #[track_caller]
    fn run(&self, arguments: &str) -> String {
        let mut command = this_test("runs_the_console_when_started_as_a_child_process");
        command.env(CHILD, arguments).env(STORAGE, self.app.storage()).env("APP_ROOT", self.folder.path());
        let output = run(&mut command);
        let said = String::from_utf8([output.stdout, output.stderr].concat()).unwrap();
        assert!(output.status.success(), "{arguments}: {said}");
        said
    }
}

// spec: NTF-2, NTF-8
#[tokio::test]
async fn a_request_tells_somebody_by_mail_and_in_the_app_and_the_worker_does_it() {
    let site = Site::new();
    assert!(site.run("migrate").contains("create_queue_tables migrated"));
    let app = &site.app;
    app.post("/invitations").form(&[("email", "ada@example.com")]).await.assert_ok().assert_see("invited");

    // It waits: nothing has gone out, and nothing can be read where it waits.
    app.get("/dev/mailbox").await.assert_ok().assert_dont_see("Join Lighthouse");
    app.get("/inbox").await.assert_ok().assert_see("0 unread");
    assert!(site.run("queue:size").contains("default  2"));
    let mut stored = std::fs::read(app.storage().join("database.sqlite")).unwrap();
    stored.extend(std::fs::read(app.storage().join("database.sqlite-wal")).unwrap_or_default());
    let stored = String::from_utf8_lossy(&stored);
    assert!(stored.contains("housekey.notification"), "the jobs are in that file");
    assert!(!stored.contains(app::TOKEN) && !stored.contains("ada@example.com"), "and their secrets are not");

    let worked = site.run("queue:work --stop-when-empty");
    assert!(worked.contains("2 jobs done."), "{worked}");
    assert!(!worked.contains(app::TOKEN), "{worked}");
    let mailbox = app.get("/dev/mailbox").await;
    mailbox.assert_ok().assert_see("Join Lighthouse").assert_see("ada@example.com");
    app.get("/inbox").await.assert_see("1 unread").assert_see("Lighthouse").assert_dont_see(app::TOKEN);
    app.post("/inbox/read").await.assert_ok().assert_see("1 read");
    app.get("/inbox").await.assert_see("0 unread");
}

#[tokio::test]
async fn a_job_leaves_a_file_that_visitors_can_fetch() {
    let site = Site::new();
    site.run("migrate");
    let app = &site.app;
    let url = app.post("/reports").await.assert_ok().text();
    assert_eq!(url, "/storage/reports/7.txt");
    app.get(&url).await.assert_not_found();
    assert!(site.run("queue:work --stop-when-empty").contains("1 job done."));
    app.get(&url).await.assert_ok().assert_see("Report 7");
}

#[tokio::test]
async fn a_handler_a_task_and_a_job_walk_a_table_in_pieces() {
    let site = Site::new();
    site.run("migrate");
    let app = &site.app;
    app.within(async {
        let books = ["Rivers", "Hills", "Roads", "Towns", "Tides"].map(|title| record! { "title" => title });
        db().unwrap().table("books").insert_many(books).await.unwrap();
    })
    .await;
    let all = "1;Rivers\n2;Hills\n3;Roads\n4;Towns\n5;Tides\n";
    assert_eq!(app.get("/export").await.assert_ok().text(), all);
    assert_eq!(app.get("/export/task").await.assert_ok().text(), all);
    let url = app.post("/export").await.assert_ok().text();
    assert!(site.run("queue:work --stop-when-empty").contains("1 job done."));
    assert_eq!(app.get(&url).await.assert_ok().text(), all);
}

#[tokio::test]
async fn an_app_brings_a_mail_transport_and_a_channel_of_its_own() {
    let post = app::Post::default();
    let (letters, texts) = (post.clone(), post.clone());
    let app = TestApp::new(move || {
        app::app().mail_transport("pigeons", letters.clone()).notification_channel(texts.clone())
    });
    let app = app.with_config(|config| {
        config.update::<AppConfig>(|app| app.env = Environment::Development);
        config.update::<MailConfig>(|mail| {
            mail.default = "pigeons".into();
            mail.mailers.insert("pigeons".into(), TransportConfig::Own);
            mail.mailers.insert("forgotten".into(), TransportConfig::Own);
        });
    });
    app.within(async {
        notify(&route("mail", "ada@example.com").route("sms", "+49 1"), app::News).await.unwrap();
        let lost = mail().unwrap().mailer("forgotten").unwrap().send(app::letter()).await.unwrap_err();
        assert!(lost.to_string().contains(".mail_transport(\"forgotten\""), "{lost}");
    })
    .await;
    assert_eq!(post.arrived(), ["mail: News to ada@example.com", "sms: +49 1"]);
}

#[test]
fn the_console_has_the_commands_of_every_feature() {
    let site = Site::new();
    let listed = site.run("list");
    for command in [
        "db:show",
        "make:cache-table",
        "make:event",
        "make:job",
        "make:mail",
        "make:notification",
        "make:notifications-table",
        "make:queue-table",
        "make:session-table",
        "migrate",
        "queue:work",
    ] {
        assert!(listed.contains(command), "{command} in {listed}");
    }
    let routes = site.run("route:list");
    assert!(routes.contains("/dev/mailbox") && routes.contains("/storage/{path}"), "{routes}");
}

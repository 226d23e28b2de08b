//! What `make:*` writes compiles and works: the files beside this one are its work, byte for byte, and part of this
//! test. After a change to a template run the command named in the failure and copy the file here.
#![allow(missing_docs, unreachable_pub, reason = "the files look as they do in an app")]

mod commands;
mod controllers;
mod events;
mod factories;
mod jobs;
mod mails;
mod middleware;
mod migrations;
mod models;
mod notifications;
mod requests;
mod seeders;
mod tables;
mod views;

use std::{fs, path::Path, process::Command};

use housekey::prelude::*;
use housekey::testing::{TestApp, run};

const MADE: [(&str, &str, &str); 13] = [
    (
        "make:controller admin/report",
        "src/controllers/admin/report_controller.rs",
        "controllers/admin/report_controller.rs",
    ),
    ("make:middleware stamp", "src/middleware/stamp.rs", "middleware/stamp.rs"),
    ("make:request store-post", "src/requests/store_post_request.rs", "requests/store_post_request.rs"),
    ("make:view about", "src/views/pages/about.rs", "views/pages/about.rs"),
    ("make:view team/list", "src/views/pages/team/list.rs", "views/pages/team/list.rs"),
    ("make:model story", "src/models/story.rs", "models/story.rs"),
    ("make:factory story", "src/factories/story_factory.rs", "factories/story_factory.rs"),
    ("make:seeder story", "src/seeders/story_seeder.rs", "seeders/story_seeder.rs"),
    ("make:job billing/send-invoice", "src/jobs/billing/send_invoice.rs", "jobs/billing/send_invoice.rs"),
    ("make:event billing/order-paid", "src/events/billing/order_paid.rs", "events/billing/order_paid.rs"),
    ("make:mail welcome", "src/mails/welcome.rs", "mails/welcome.rs"),
    ("make:notification invoice-paid", "src/notifications/invoice_paid.rs", "notifications/invoice_paid.rs"),
    ("make:command reports/send", "src/commands/reports/send.rs", "commands/reports/send.rs"),
];

#[test]
fn the_files_here_are_what_the_commands_write() {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, text: &str| {
        fs::create_dir_all(folder.path().join(path).parent().unwrap()).unwrap();
        fs::write(folder.path().join(path), text).unwrap();
    };
    write("Cargo.toml", "[package]\nname = \"made\"\n");
    write("src/lib.rs", "");
    let make = |line: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_housekey-sample"));
        housekey_test_support::run(command.args(line.split(' ')).env("APP_ROOT", folder.path()))
    };
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/made");
    for (line, path, golden) in MADE {
        // One view is made by the stub of a kit, the other in an app that has none.
        if line == "make:view team/list" {
            fs::remove_dir_all(folder.path().join("stubs")).unwrap();
        } else {
            write("stubs/view.stub", include_str!("../../../../kits/base/stubs/view.stub"));
        }
        let done = make(line);
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let written = fs::read_to_string(folder.path().join(path)).unwrap();
        assert_eq!(written, fs::read_to_string(beside.join(golden)).unwrap(), "{line}");
    }

    // A migration has the moment in its name.
    for (line, golden) in [
        ("make:migration create_stories", "create_stories"),
        ("make:cache-table", "create_cache_table"),
        ("make:events-table", "create_events_table"),
        ("make:notifications-table", "create_notifications_table"),
        ("make:queue-table", "create_queue_tables"),
        ("make:schedule-table", "create_schedule_table"),
        ("make:session-table", "create_sessions_table"),
    ] {
        assert!(make(line).status.success(), "{line}");
        let made: Vec<_> = fs::read_dir(folder.path().join("database/migrations"))
            .unwrap()
            .map(|entry| entry.unwrap().path())
            .filter(|file| file.file_stem().unwrap().to_str().unwrap().ends_with(golden))
            .collect();
        let [file] = &made[..] else { panic!("{line} made {made:?}") };
        let golden = fs::read_to_string(beside.join(format!("migrations/{golden}.rs"))).unwrap();
        assert_eq!(fs::read_to_string(file).unwrap(), golden, "{line}");

        let again = make(line);
        let said = String::from_utf8_lossy(&again.stderr);
        assert!(!again.status.success() && said.contains("already"), "{line}: {said}");
    }
}

fn app() -> App {
    housekey::app(ConfigFiles::new())
        .middleware("stamp", middleware::stamp::stamp)
        .command(commands::reports::send::Send)
        .jobs([job::<jobs::billing::send_invoice::SendInvoice>()])
        .listeners([listener(thank)])
        .routes(|route| {
            route.get("/admin/report", controllers::admin::report_controller::index).middleware("stamp");
            route.get("/about", async || view(views::pages::about::about()));
            route.get("/team", async || view(views::pages::team::list::list()));
            route.post(
                "/posts",
                async |Valid(post): Valid<requests::store_post_request::StorePostRequest>| post.name,
            );
        })
}

async fn thank(paid: events::billing::order_paid::OrderPaid) -> Result<()> {
    let subject = format!("Order {} is paid", paid.id);
    mail()?.send(Message::new().subject(subject).to("cleo@example.com").text("Thank you.")).await?;
    Ok(())
}

#[test]
fn what_is_made_works() {
    run(app, async |app: TestApp| {
        app.get("/admin/report").await.assert_ok().assert_see("Report");
        app.get("/about").await.assert_ok().assert_see("<title>About</title>").assert_see("<h1>About</h1>");
        app.get("/team").await.assert_ok().assert_see("<h1>List</h1>");
        app.post("/posts")
            .json(&[("name", "Hello")].into_iter().collect::<std::collections::BTreeMap<_, _>>())
            .await
            .assert_see("Hello");
        app.post("/posts").form(&[("name", "")]).await.assert_invalid("name");
    });
}

#[test]
fn a_made_job_event_mail_and_notification_work() {
    use housekey::mail::Mailer;
    use housekey::notifications::route;

    run(app, async |app: TestApp| {
        let mails = app.services().require::<Mailer>().unwrap().fake();
        app.within(async {
            jobs::billing::send_invoice::SendInvoice { id: 7 }.dispatch().await.unwrap();
            emit(events::billing::order_paid::OrderPaid { id: 7 }).await.unwrap();
            let url = "https://shop.example/news";
            mail().unwrap().send(mails::welcome::welcome("ada@example.com", url)).await.unwrap();
            let paid = notifications::invoice_paid::InvoicePaid { url: url.into() };
            notify(&route("mail", "bob@example.com"), paid).await.unwrap();
        })
        .await;
        mails.assert_subject("ada@example.com", "Welcome").assert_subject("bob@example.com", "Invoice paid");
        mails.assert_subject("cleo@example.com", "Order 7 is paid");
        assert_eq!(mails.link_to("bob@example.com"), "https://shop.example/news");
    });
}

#[test]
fn a_made_table_its_model_its_factory_and_its_seeder_work_together() {
    use housekey::database::{Database, Factory, Migration, Migrations, Migrator, Model, Seeders};
    use {factories::story_factory::StoryFactory, models::story::Story, seeders::story_seeder::StorySeeder};

    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let db = Database::memory();
        let made = Migration::new(
            "2026_01_01_000000_create_stories",
            migrations::create_stories::up,
            migrations::create_stories::down,
        );
        Migrator::new(db.clone(), Migrations::new().with(made)).run().await.unwrap();
        let seeders = Seeders::new().with(StorySeeder);
        for _ in 0..2 {
            assert_eq!(seeders.run(&db, None).await.unwrap(), ["StorySeeder"]);
        }
        let story = StoryFactory::create_on(&db, housekey::database::record! {}).await.unwrap();
        assert!(story.name.starts_with("Story "), "{story:?}");
        assert_eq!(Story::on(&db).all().await.unwrap().len(), 2);

        // spec: DAT-2
        let (mut renamed, mut stale) = (story.clone(), story);
        renamed.name = "Renamed".into();
        Story::on(&db).save(&mut renamed).await.unwrap();
        Story::on(&db).save(&mut stale).await.unwrap();
        let kept = Story::on(&db).find_or_404(stale.id).await.unwrap();
        assert_eq!(kept.name, "Renamed", "a copy in which nothing changed takes nothing back");
    });
}

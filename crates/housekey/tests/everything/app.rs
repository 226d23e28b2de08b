//! The app under test: what a reader of the guide would write.

use std::sync::{Arc, Mutex};

use housekey::database::{Migration, Migrations};
use housekey::mail::{OutgoingMail, Transport, TransportFuture};
use housekey::notifications::{Channel, ChannelFuture, Delivery};
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use serde::{Deserialize, Serialize};

use crate::{config, export};

// What `make:queue-table` and `make:notifications-table` write.
#[path = "../../../housekey-console/tests/made/migrations/create_notifications_table.rs"]
mod create_notifications_table;
#[path = "../../../housekey-console/tests/made/migrations/create_queue_tables.rs"]
mod create_queue_tables;

pub(crate) const TOKEN: &str = "t0k3n-that-opens-the-door";

pub(crate) fn app() -> App {
    housekey::app(config::files())
        .migrations(migrations())
        .jobs([job::<WriteReport>(), job::<export::ExportBooks>()])
        .routes(web)
}

fn migrations() -> Migrations {
    Migrations::new()
        .with(Migration::new(
            "2026_01_01_000000_create_queue_tables",
            create_queue_tables::up,
            create_queue_tables::down,
        ))
        .with(Migration::new(
            "2026_01_01_000001_create_notifications_table",
            create_notifications_table::up,
            create_notifications_table::down,
        ))
        .with(Migration::new("2026_01_01_000002_create_books_table", export::up, export::down))
}

fn web(route: &mut Routes) {
    route.post("/invitations", invite);
    route.get("/inbox", unread);
    route.post("/inbox/read", read);
    route.post("/reports", report);
    export::web(route);
}

struct Member {
    email: String,
}

impl Notifiable for Member {
    fn notifiable_key(&self) -> Option<NotifiableKey> {
        Some(NotifiableKey::new("member", "7"))
    }

    fn route_for(&self, channel: &str) -> Option<String> {
        (channel == "mail").then(|| self.email.clone())
    }
}

struct Invitation;

impl Notification for Invitation {
    fn channels(&self, _to: &dyn Notifiable) -> Vec<String> {
        channels(["mail", "database"])
    }

    fn to_mail(&self, _to: &dyn Notifiable) -> Result<Message> {
        Ok(Message::new()
            .subject(t!("Join :team", team = "Lighthouse"))
            .line(t("You were invited to work together."))
            .action(t("Join"), format!("https://a.example/join?token={TOKEN}")))
    }

    fn to_array(&self, _to: &dyn Notifiable) -> Value {
        json!({ "team": "Lighthouse" })
    }
}

#[derive(Deserialize, Validated)]
struct InviteRequest {
    #[validate(required, email)]
    email: String,
}

async fn invite(Valid(input): Valid<InviteRequest>) -> Result<&'static str> {
    notify(&Member { email: input.email }, Invitation).await?;
    Ok("invited")
}

fn member() -> Member {
    Member { email: String::new() }
}

async fn unread() -> Result<String> {
    let unread = inbox()?.unread(&member()).await?;
    let teams: Vec<&str> = unread.iter().filter_map(|stored| stored.data["team"].as_str()).collect();
    Ok(format!("{} unread: {}", unread.len(), teams.join(", ")))
}

async fn read() -> Result<String> {
    Ok(format!("{} read", inbox()?.mark_all_as_read(&member()).await?))
}

#[derive(Serialize, Deserialize)]
struct WriteReport {
    number: u32,
}

impl WriteReport {
    fn file(&self) -> String {
        format!("reports/{}.txt", self.number)
    }
}

impl Job for WriteReport {
    const NAME: &'static str = "write-report";

    async fn handle(self) -> Result<()> {
        storage()?.disk("public")?.put(&self.file(), format!("Report {}", self.number)).await
    }
}

async fn report() -> Result<String> {
    let report = WriteReport { number: 7 };
    let url = storage()?.disk("public")?.url(&report.file())?;
    report.dispatch().await?;
    Ok(url)
}

/// A mail transport and a channel of the app's own.
#[derive(Clone, Default)]
pub(crate) struct Post(Arc<Mutex<Vec<String>>>);

impl Post {
    pub(crate) fn arrived(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

impl Transport for Post {
    fn name(&self) -> &'static str {
        "pigeons"
    }

    fn send<'a>(&'a self, mail: &'a OutgoingMail) -> TransportFuture<'a> {
        self.0.lock().unwrap().push(format!("mail: {} to {}", mail.subject(), mail.to()[0].email));
        Box::pin(async { Ok(()) })
    }
}

impl Channel for Post {
    fn name(&self) -> &'static str {
        "sms"
    }

    fn deliver<'a>(&'a self, delivery: &'a Delivery) -> ChannelFuture<'a> {
        self.0.lock().unwrap().push(format!("sms: {}", delivery.address.as_deref().unwrap_or_default()));
        Box::pin(async { Ok(()) })
    }
}

pub(crate) struct News;

impl Notification for News {
    fn channels(&self, _to: &dyn Notifiable) -> Vec<String> {
        channels(["mail", "sms"])
    }

    fn to_mail(&self, _to: &dyn Notifiable) -> Result<Message> {
        Ok(Message::new().subject("News").line("There is news."))
    }
}

pub(crate) fn letter() -> Message {
    Message::new().to("ada@example.com").subject("A letter").line("Hello.")
}

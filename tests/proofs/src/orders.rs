//! An order: a row, a durable event, a job and a chain of two, all in one transaction.

use housekey::events::Listener;
use housekey::prelude::*;
use housekey::queue::{JobType, chain, job_context};
use serde::{Deserialize, Serialize};

/// Of so many orders the last is taken back, after everything was said: nobody may ever hear of it.
const TAKEN_BACK: i64 = 10;

/// Workers and relays are killed all the time here; what they had in hand is tried again for as long as it takes.
const RETRIES: u32 = 1000;

pub(crate) async fn order(Path(number): Path<i64>) -> Result<&'static str> {
    db()?
        .transaction(async |tx| {
            tx.table("orders").insert(record! { "number" => number }).await?;
            emit(OrderPaid { number }).await?;
            Pack { number }.dispatch().await?;
            chain((Charge { number }, Invoice { number })).dispatch().await?;
            match number % TAKEN_BACK {
                0 => Err(Error::conflict("taken back")),
                _ => Ok("paid"),
            }
        })
        .await
}

#[derive(Clone, Serialize, Deserialize)]
struct OrderPaid {
    number: i64,
}

impl Event for OrderPaid {
    const NAME: &'static str = "order-paid";
    const DURABLE: bool = true;
}

pub(crate) fn listeners() -> [Listener; 3] {
    [
        listener(book).once().retries(RETRIES),
        listener(note).retries(RETRIES),
        listener(mail).queued().retries(RETRIES),
    ]
}

/// What happens exactly once, because it happens in the database.
async fn book(event: OrderPaid) -> Result<()> {
    tell("book", event.number).await
}

/// What happens at least once.
async fn note(event: OrderPaid) -> Result<()> {
    tell("note", event.number).await
}

/// What happens at least once, in a worker.
async fn mail(event: OrderPaid) -> Result<()> {
    tell("mail", event.number).await
}

macro_rules! jobs {
    ($($kind:ident $name:literal)*) => {
        $(
            #[derive(Serialize, Deserialize)]
            struct $kind {
                number: i64,
            }

            impl Job for $kind {
                const NAME: &'static str = $name;

                async fn handle(self) -> Result<()> {
                    tell($name, self.number).await
                }

                fn retries(&self) -> u32 {
                    RETRIES
                }
            }
        )*

        pub(crate) fn jobs() -> impl IntoIterator<Item = JobType> {
            [$(job::<$kind>()),*]
        }
    };
}

// The invoice is queued by the step that ends the charge.
jobs! { Pack "pack" Charge "charge" Invoice "invoice" }

async fn tell(who: &str, number: i64) -> Result<()> {
    let job = job_context().map(|job| job.id.to_string());
    db()?.table("told").insert(record! { "who" => who, "number" => number, "job" => job }).await.map(drop)
}

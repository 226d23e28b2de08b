//! What happens in the library, and who hears of it. The models' hooks tell it; nobody else has to.

use housekey::events::Listener;
use housekey::prelude::*;
use serde::{Deserialize, Serialize};

use crate::jobs::LookUpPages;
use crate::models::Loan;
use crate::notifications::Receipt;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BookAdded {
    pub book: i64,
}

impl Event for BookAdded {
    const NAME: &'static str = "book-added";
}

/// Durable: the receipt is sent even if the process dies right after the loan was written.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BookLent {
    pub book: i64,
    pub loan: i64,
}

impl Event for BookLent {
    const NAME: &'static str = "book-lent";
    const DURABLE: bool = true;
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BookReturned {
    pub book: i64,
}

impl Event for BookReturned {
    const NAME: &'static str = "book-returned";
}

pub fn listeners() -> [Listener; 4] {
    [
        listener(look_up_pages),
        listener(send_receipt).queued(),
        listener(tell_pages_of_lent),
        listener(tell_pages_of_returned),
    ]
}

/// What open pages hear in the channel `shelf`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ShelfChange {
    pub book: i64,
    pub is_lent: bool,
}

async fn tell_pages_of_lent(event: BookLent) -> Result<()> {
    broadcast("shelf", &ShelfChange { book: event.book, is_lent: true }).await
}

async fn tell_pages_of_returned(event: BookReturned) -> Result<()> {
    broadcast("shelf", &ShelfChange { book: event.book, is_lent: false }).await
}

async fn look_up_pages(event: BookAdded) -> Result<()> {
    LookUpPages { book: event.book }.dispatch().await?;
    Ok(())
}

async fn send_receipt(event: BookLent) -> Result<()> {
    let Some(loan) =
        Loan::query()?.where_eq(Loan::id, event.loan).with(Loan::book).with(Loan::reader).first().await?
    else {
        return Ok(());
    };
    let Some(reader) = loan.reader.as_deref() else { return Ok(()) };
    notify(reader, Receipt { title: loan.book.title.clone(), due_on: loan.due_on }).await
}

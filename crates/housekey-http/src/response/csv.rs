use std::borrow::Cow;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::{fmt, io};

use axum::body::Body;
use bytes::Bytes;
use futures_util::{FutureExt, StreamExt, stream};
use housekey_core::{Error, Result, spawn};
use http::HeaderValue;
use http::header::CONTENT_TYPE;
use serde::Serialize;
use tokio::sync::mpsc;

use super::download;
use crate::Response;

/// A table that the browser saves as a file, sent while it is made: it may have more rows than memory holds.
///
/// The columns are the fields of what is written; their names are the first line.
///
/// ```
/// use housekey_http::Response;
/// use housekey_http::response::{CsvRows, csv};
///
/// #[derive(serde::Serialize)]
/// struct Line {
///     title: String,
///     pages: u32,
/// }
///
/// async fn export() -> Response {
///     csv("books.csv", async |mut rows: CsvRows| {
///         for pages in 1..=1000 {
///             rows.write(&Line { title: format!("Book {pages}"), pages }).await?;
///         }
///         Ok(())
///     })
/// }
/// ```
///
/// An error breaks the connection, so that nobody takes half a table for a whole one, and is written to the log. When the
/// visitor goes away, the next `write` fails, and the work is over.
pub fn csv<F, Work>(file_name: &str, write: F) -> Response
where
    F: FnOnce(CsvRows) -> Work,
    Work: Future<Output = Result<()>> + Send + 'static,
{
    let (pieces, received) = mpsc::channel(2);
    let table = Arc::new(Mutex::new(Table::default()));
    let work = write(CsvRows { table: table.clone(), pieces: pieces.clone() });
    spawn(async move {
        // A panic is told to nobody else, and the table would end as if it were whole.
        let work = AssertUnwindSafe(work).catch_unwind().await;
        let last = match work.unwrap_or_else(|_| Err(Error::internal("a panic"))) {
            Ok(()) => Ok(lock(&table).take()),
            // Nobody is there to be told, and it is no fault.
            Err(_) if pieces.is_closed() => return,
            Err(error) => {
                tracing::error!(%error, "a table was broken off");
                Err(io::Error::other("the table was broken off"))
            }
        };
        let _ = pieces.send(last).await;
    });
    let body =
        stream::unfold(received, |mut received| async move { Some((received.recv().await?, received)) });
    let mut response = download(file_name, Body::from_stream(body.fuse()));
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    response
}

/// Where the rows of a [`csv`](csv()) go.
pub struct CsvRows {
    table: Arc<Mutex<Table>>,
    pieces: mpsc::Sender<io::Result<Bytes>>,
}

impl CsvRows {
    /// Adds a row. It waits when the visitor reads more slowly than rows are made.
    ///
    /// A program for tables takes a text that begins with `=`, `+`, `-` or `@` for a formula, which can do harm on the
    /// visitor's machine. So such a text gets an apostrophe in front; numbers stay as they are.
    pub async fn write<T: Serialize>(&mut self, row: &T) -> Result<()> {
        let piece = {
            let mut table = lock(&self.table);
            table.add(row)?;
            if table.text.len() < PIECE {
                return Ok(());
            }
            table.take()
        };
        let sent = self.pieces.send(Ok(piece)).await;
        sent.map_err(|_| Error::bad_request("The visitor went away."))
    }
}

impl fmt::Debug for CsvRows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("CsvRows")
    }
}

/// Rows are sent when there are so many bytes of them.
const PIECE: usize = 16 * 1024;

/// Most rows are shorter.
const ROW: usize = 512;

/// The rows that were not sent yet.
#[derive(Default)]
struct Table {
    text: Vec<u8>,
    has_names: bool,
}

impl Table {
    fn add<T: Serialize>(&mut self, row: &T) -> Result<()> {
        let mut written = Vec::new();
        let mut writer = csv::WriterBuilder::new()
            .has_headers(!self.has_names)
            .buffer_capacity(ROW)
            .from_writer(&mut written);
        writer.serialize(row)?;
        writer.flush()?;
        drop(writer);
        self.has_names = true;
        if !may_hold_formula(&written) {
            self.text.append(&mut written);
            return Ok(());
        }
        let mut reader = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(&*written);
        let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(&mut self.text);
        for record in reader.byte_records() {
            writer.write_record(record?.iter().map(harmless))?;
        }
        Ok(writer.flush()?)
    }

    fn take(&mut self) -> Bytes {
        std::mem::take(&mut self.text).into()
    }
}

/// Whether a cell may begin as a formula does. Most rows have none, and are not looked at cell by cell.
fn may_hold_formula(row: &[u8]) -> bool {
    let begins_cell = |at: usize| at == 0 || matches!(row[at - 1], b',' | b'"' | b'\n');
    row.iter().enumerate().any(|(at, byte)| FORMULA.contains(byte) && begins_cell(at))
}

const FORMULA: [u8; 6] = *b"=+-@\t\r";

/// A cell that no program for tables calculates with, unless it is a number.
fn harmless(cell: &[u8]) -> Cow<'_, [u8]> {
    let is_number = || std::str::from_utf8(cell).is_ok_and(|text| text.parse::<f64>().is_ok());
    match cell.first() {
        Some(first) if FORMULA.contains(first) && !is_number() => [b"'", cell].concat().into(),
        _ => cell.into(),
    }
}

fn lock(table: &Mutex<Table>) -> MutexGuard<'_, Table> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Serialize)]
    struct Row {
        name: &'static str,
        amount: f64,
    }

    #[test]
    fn names_come_once_and_no_cell_is_a_formula() {
        let mut table = Table::default();
        table.add(&Row { name: "a \"b\", c", amount: -1.5 }).unwrap();
        table.add(&Row { name: "=1+1", amount: 2.0 }).unwrap();
        assert_eq!(
            String::from_utf8(table.take().into()).unwrap(),
            "name,amount\n\"a \"\"b\"\", c\",-1.5\n'=1+1,2.0\n"
        );
        table.add(&Row { name: "", amount: 0.0 }).unwrap();
        assert_eq!(&*table.take(), b",0.0\n");
    }

    #[tokio::test]
    async fn a_table_that_an_error_or_a_panic_breaks_off_is_not_taken_for_a_whole_one() {
        for panics in [false, true] {
            let response = csv("a.csv", async move |mut rows: CsvRows| {
                for _ in 0..5000 {
                    rows.write(&Row { name: "Ada", amount: 1.0 }).await?;
                }
                assert!(!panics, "on purpose");
                Err(Error::internal("on purpose"))
            });
            let read = http_body_util::BodyExt::collect(response.into_body()).await;
            assert!(read.is_err(), "panics: {panics}");
        }
    }
}

//! All rows of a table in pieces, with what is around the walk borrowed: in a handler, in a task of its own and in a job.

use housekey::database::{FromRow, Schema};
use housekey::prelude::*;
use serde::{Deserialize, Serialize};

pub(crate) const FILE: &str = "exports/books.csv";

pub(crate) fn up(schema: &mut Schema) {
    schema.create("books", |table| {
        table.id();
        table.string("title", 100);
    });
}

pub(crate) fn down(schema: &mut Schema) {
    schema.drop("books");
}

pub(crate) fn web(route: &mut Routes) {
    route.get("/export", in_a_handler);
    route.get("/export/task", in_a_task);
    route.post("/export", in_a_job);
}

#[derive(FromRow, Model)]
#[model(table = "books")]
struct Book {
    id: i64,
    title: String,
}

struct Format {
    separator: char,
}

impl Format {
    fn line(&self, book: &Book) -> String {
        format!("{}{}{}\n", book.id, self.separator, book.title)
    }
}

async fn in_a_handler() -> Result<String> {
    let format = &Format { separator: ';' };
    let mut text = String::new();
    let lines = &mut text;
    let mut chunks = Book::query()?.chunk_by("id", 2);
    while let Some(books) = chunks.next().await? {
        lines.extend(books.iter().map(|book| format.line(book)));
    }
    Ok(text)
}

async fn in_a_task() -> Result<String> {
    let (sender, mut receiver) = tokio::sync::mpsc::channel(1);
    let task = housekey::spawn(async move {
        let (format, sender) = (&Format { separator: ';' }, &sender);
        let mut chunks = Book::query()?.chunk_by("id", 2);
        while let Some(books) = chunks.next().await? {
            let lines: String = books.iter().map(|book| format.line(book)).collect();
            sender.send(lines).await.map_err(|_| Error::internal("nobody reads the export any more"))?;
        }
        Ok::<_, Error>(())
    });
    let mut text = String::new();
    while let Some(lines) = receiver.recv().await {
        text.push_str(&lines);
    }
    task.await.map_err(|error| Error::internal(error.to_string()))??;
    Ok(text)
}

#[derive(Serialize, Deserialize)]
pub(crate) struct ExportBooks {
    separator: char,
}

impl Job for ExportBooks {
    const NAME: &'static str = "export-books";

    async fn handle(self) -> Result<()> {
        let format = &Format { separator: self.separator };
        let mut text = String::new();
        let lines = &mut text;
        let mut chunks = Book::query()?.chunk_by("id", 2);
        while let Some(books) = chunks.next().await? {
            lines.extend(books.iter().map(|book| format.line(book)));
        }
        storage()?.disk("public")?.put(FILE, text).await
    }
}

async fn in_a_job() -> Result<String> {
    ExportBooks { separator: ';' }.dispatch().await?;
    storage()?.disk("public")?.url(FILE)
}

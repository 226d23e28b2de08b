//! What a model does before and after its rows are written.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use housekey_core::{Error, Result};
use housekey_database::testing::TestDatabase;
use housekey_database::{
    BelongsToOrganization, Database, FromRow, Model, ModelHooks, Original, Record, TenantId, on_every_engine,
    record,
};
use housekey_test_support::in_time;
use time::OffsetDateTime;

on_every_engine!(
    hooks_run_around_every_write_of_a_row,
    a_hook_that_fails_takes_everything_back,
    a_hook_that_fails_inside_a_transaction_takes_back_its_own_write_alone,
    a_row_whose_save_was_taken_back_can_be_saved_again,
    a_cancelled_save_is_not_taken_for_a_written_one,
    a_row_that_was_restored_can_be_saved,
    two_who_delete_a_row_at_once_run_what_follows_once,
    what_waits_for_the_commit_does_not_follow_a_failed_hook,
    a_hook_cannot_move_a_row_into_another_organization,
    queries_that_write_many_rows_run_no_hooks,
);

thread_local! {
    /// Set when a hook of this test was entered that never ends.
    static HANGS: Cell<bool> = const { Cell::new(false) };
}

#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "loans", version, soft_deletes, hooks)]
struct Loan {
    id: i64,
    reader: String,
    days: i64,
    #[row(read_only)]
    stamp: i64,
    version: i64,
    deleted_at: Option<OffsetDateTime>,
    original: Original,
}

impl ModelHooks for Loan {
    async fn before_create(columns: &mut Record, tx: &Database) -> Result<()> {
        note(tx, "before_create").await?;
        let reader = columns.read(Loan::reader)?.unwrap_or_default();
        refuse(&reader, "nobody")?;
        columns.set(Loan::reader, reader.trim());
        Ok(())
    }

    async fn after_create(&self, tx: &Database) -> Result<()> {
        note(tx, &format!("after_create {}", self.id > 0)).await?;
        refuse(&self.reader, "too late")
    }

    async fn before_update(&self, columns: &mut Record, tx: &Database) -> Result<()> {
        note(tx, "before_update").await?;
        if let Some(days) = columns.read(Loan::days)? {
            columns.set(Loan::days, days.min(30));
        }
        refuse(&columns.read(Loan::reader)?.unwrap_or_default(), "nobody")
    }

    async fn after_update(&self, tx: &Database) -> Result<()> {
        note(tx, &format!("after_update {}", self.version)).await?;
        if self.reader == "slow" {
            HANGS.set(true);
            std::future::pending::<()>().await;
        }
        refuse(&self.reader, "too late")
    }

    async fn before_delete(&self, tx: &Database) -> Result<()> {
        note(tx, "before_delete").await?;
        refuse(&self.reader, "stays")
    }

    async fn after_delete(&self, tx: &Database) -> Result<()> {
        note(tx, "after_delete").await?;
        refuse(&self.reader, "stays after all")
    }
}

fn refuse(reader: &str, refused: &str) -> Result<()> {
    if reader == refused { Err(Error::conflict(format!("not for {reader}"))) } else { Ok(()) }
}

async fn note(tx: &Database, text: &str) -> Result<()> {
    tx.table("notes").insert(record! { "note" => text }).await.map(drop)
}

async fn tables(db: &Database) {
    db.schema(|schema| {
        schema.create("loans", |table| {
            table.id();
            table.string("reader", 100);
            table.big_integer("days").default(14);
            table.big_integer("stamp").default(7);
            table.big_integer("version").default(1);
            table.timestamp("deleted_at").nullable();
        });
        schema.create("notes", |table| {
            table.id();
            table.string("note", 100);
        });
        schema.create("pages", |table| {
            table.id();
            table.string("organization_id", 36);
            table.string("title", 100);
        });
    })
    .await
    .unwrap();
}

/// What the hooks wrote since the last time.
async fn notes(db: &Database) -> Vec<String> {
    let notes = db.table("notes").order_by("id").pluck("note").await.unwrap();
    db.table("notes").delete().await.unwrap();
    notes
}

async fn hooks_run_around_every_write_of_a_row(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let loans = Loan::on(db);
    let mut loan = loans.create(record! { Loan::reader => " Mary " }).await.unwrap();
    assert_eq!(
        (loan.reader.as_str(), notes(db).await),
        ("Mary", words(&["before_create", "after_create true"]))
    );

    loan.days = 90;
    loans.save(&mut loan).await.unwrap();
    assert_eq!(notes(db).await, ["before_update", "after_update 2"]);
    assert_eq!((loan.days, loan.version), (30, 2), "what the hook changed is here as well");
    loans.save(&mut loan).await.unwrap();
    assert!(notes(db).await.is_empty(), "nothing was written");

    loans.update(&mut loan, record! { Loan::days => 7 }).await.unwrap();
    assert_eq!((loan.days, notes(db).await), (7, words(&["before_update", "after_update 3"])));
    let found = loans
        .update_or_create(record! { Loan::reader => "Mary" }, record! { Loan::days => 8 })
        .await
        .unwrap();
    assert_eq!((found.id, notes(db).await), (loan.id, words(&["before_update", "after_update 4"])));
    loans.first_or_create(record! { Loan::reader => "Ada" }, Record::new()).await.unwrap();
    assert_eq!(notes(db).await, ["before_create", "after_create true"]);

    loans.delete(&loan).await.unwrap();
    assert_eq!(notes(db).await, ["before_delete", "after_delete"]);
    assert_eq!(loans.find(loan.id).await.unwrap(), None);
    loans.delete(&loan).await.unwrap();
    assert!(notes(db).await.is_empty(), "it was gone already");
    loans.restore(&mut loan).await.unwrap();
    assert_eq!(notes(db).await.first().map(String::as_str), Some("before_update"));
    assert!(loans.find(loan.id).await.unwrap().is_some());
    loans.restore(&mut loan).await.unwrap();
    assert!(notes(db).await.is_empty(), "it was back already");
    loans.force_delete(&loan).await.unwrap();
    assert_eq!(notes(db).await, ["before_delete", "after_delete"]);
    assert_eq!(loans.query().with_deleted().count().await.unwrap(), 1);
}

fn words(words: &[&str]) -> Vec<String> {
    words.iter().map(|&word| word.to_owned()).collect()
}

async fn a_hook_that_fails_takes_everything_back(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let loans = Loan::on(db);
    for reader in ["nobody", "too late"] {
        let error = loans.create(record! { Loan::reader => reader }).await.unwrap_err();
        assert_eq!(error.status().as_u16(), 409);
        assert!(notes(db).await.is_empty());
        assert_eq!(loans.query().count().await.unwrap(), 0);
    }
    let mut loan = loans.create(record! { Loan::reader => "Mary" }).await.unwrap();
    notes(db).await;
    for reader in ["nobody", "too late"] {
        let columns = record! { Loan::reader => reader, Loan::stamp => 8 };
        loans.update(&mut loan, columns).await.unwrap_err();
        assert!(notes(db).await.is_empty());
        assert_eq!(loans.find(loan.id).await.unwrap(), Some(loan.clone()), "the same there and here");
        assert_eq!((loan.reader.as_str(), loan.stamp, loan.version), ("Mary", 7, 1));
    }
    for reader in ["stays", "stays after all"] {
        loans.update(&mut loan, record! { Loan::reader => reader }).await.unwrap();
        notes(db).await;
        loans.delete(&loan).await.unwrap_err();
        loans.force_delete(&loan).await.unwrap_err();
        assert!(notes(db).await.is_empty());
        assert!(loans.find(loan.id).await.unwrap().is_some());
    }
}

async fn a_hook_that_fails_inside_a_transaction_takes_back_its_own_write_alone(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    db.transaction(async |tx| {
        note(&tx, "before").await?;
        Loan::on(&tx).create(record! { Loan::reader => "too late" }).await.unwrap_err();
        Loan::on(&tx).create(record! { Loan::reader => "Mary" }).await.map(drop)
    })
    .await
    .unwrap();
    assert_eq!(notes(db).await, ["before", "before_create", "after_create true"]);
    assert_eq!(Loan::on(db).query().count().await.unwrap(), 1);
}

async fn a_row_whose_save_was_taken_back_can_be_saved_again(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let loans = Loan::on(db);
    let mut loan = loans.create(record! { Loan::reader => "Mary" }).await.unwrap();
    loan.reader = "too late".into();
    loan.days = 5;
    loans.save(&mut loan).await.unwrap_err();
    assert_eq!(loan.version, 1);
    assert_eq!(loan.days, 5, "what the caller set stays set");
    loan.reader = "Ada".into();
    loans.save(&mut loan).await.unwrap();
    let read = loans.find(loan.id).await.unwrap().unwrap();
    assert_eq!((read.reader.as_str(), read.days, read.version), ("Ada", 5, 2));
}

// spec: DAT-2
async fn a_row_that_was_restored_can_be_saved(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let loans = Loan::on(db);
    let mut loan = loans.create(record! { Loan::reader => "Mary" }).await.unwrap();
    loans.delete(&loan).await.unwrap();
    notes(db).await;
    loans.restore(&mut loan).await.unwrap();
    assert_eq!(notes(db).await, ["before_update", "after_update 3"]);
    loan.days = 7;
    loans.save(&mut loan).await.unwrap();
    let read = loans.find(loan.id).await.unwrap().unwrap();
    assert_eq!((read.days, read.version, loan.version), (7, 4, 4));
}

async fn a_cancelled_save_is_not_taken_for_a_written_one(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let loans = Loan::on(db);
    let mut loan = loans.create(record! { Loan::reader => "Mary" }).await.unwrap();
    loan.reader = "slow".into();
    {
        let mut save = std::pin::pin!(loans.save(&mut loan));
        in_time("the hook that never ends", async {
            while !HANGS.get() {
                let short = Duration::from_millis(20);
                assert!(tokio::time::timeout(short, save.as_mut()).await.is_err(), "it never ends");
            }
        })
        .await;
    }
    // Its version may be ahead, then it is refused; what it must not do is to say that it was saved.
    let saved = loans.save(&mut loan).await;
    assert_eq!(saved.unwrap_err().code(), Some("STALE_ROW"));
    assert_eq!(loans.find(loan.id).await.unwrap().unwrap().reader, "Mary");
}

async fn two_who_delete_a_row_at_once_run_what_follows_once(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let loan = Loan::on(db).create(record! { Loan::reader => "Mary" }).await.unwrap();
    notes(db).await;
    let delete = async || Loan::on(db).delete(&loan).await;
    let (first, second) = tokio::join!(delete(), delete());
    // A server may settle the two by giving one of them up; it is told so then.
    assert!(first.is_ok() || second.is_ok());
    let mut left = notes(db).await;
    left.sort();
    assert_eq!(left, ["after_delete", "before_delete"]);
}

async fn what_waits_for_the_commit_does_not_follow_a_failed_hook(test: TestDatabase) {
    static SENT: AtomicUsize = AtomicUsize::new(0);

    #[derive(Debug, FromRow, Model)]
    #[row(crate = "housekey_database")]
    #[model(table = "notes", hooks)]
    struct Letter {
        id: i64,
        note: String,
    }

    impl ModelHooks for Letter {
        async fn after_create(&self, tx: &Database) -> Result<()> {
            let engine = tx.driver() as usize;
            let sent = async move {
                SENT.fetch_add(1 << (8 * engine), Ordering::SeqCst);
            };
            tx.after_commit(sent).await;
            refuse(&self.note, "unsent")
        }
    }

    let db = &test.db;
    tables(db).await;
    let sent = || SENT.load(Ordering::SeqCst) >> (8 * db.driver() as usize) & 0xff;
    Letter::on(db).create(record! { Letter::note => "unsent" }).await.unwrap_err();
    assert_eq!(sent(), 0);
    let letter = Letter::on(db).create(record! { Letter::note => "sent" }).await.unwrap();
    assert_eq!((sent(), letter.id > 0), (1, true));
}

async fn a_hook_cannot_move_a_row_into_another_organization(test: TestDatabase) {
    #[derive(Debug, FromRow, Model)]
    #[row(crate = "housekey_database")]
    #[model(table = "pages", belongs_to_organization, hooks)]
    struct Page {
        id: i64,
        organization_id: String,
        title: String,
    }

    impl ModelHooks for Page {
        async fn before_create(columns: &mut Record, _: &Database) -> Result<()> {
            if columns.read(Page::title)?.as_deref() == Some("stolen") {
                columns.set(Page::organization_id, "other");
            }
            Ok(())
        }

        async fn before_update(&self, columns: &mut Record, _: &Database) -> Result<()> {
            columns.set(Page::organization_id, "other");
            Ok(())
        }
    }

    let db = &test.db;
    tables(db).await;
    let own = housekey_database::within_tenant(&TenantId::new("own"), async { Page::on(db) }).await;
    own.create(record! { Page::title => "stolen" }).await.unwrap_err();
    let mut page = own.create(record! { Page::title => "Rivers" }).await.unwrap();
    page.title = "Hills".into();
    own.save(&mut page).await.unwrap_err();
    let rows: Vec<(String, String)> =
        db.table("pages").select(["organization_id", "title"]).get().await.unwrap();
    assert_eq!(rows, [("own".to_owned(), "Rivers".to_owned())]);
    assert_eq!((page.organization_id.as_str(), page.id > 0), ("own", true));
    let _ = Page::across_organizations;
}

async fn queries_that_write_many_rows_run_no_hooks(test: TestDatabase) {
    let db = &test.db;
    tables(db).await;
    let loans = Loan::on(db);
    loans.query().insert(record! { Loan::reader => "nobody" }).await.unwrap();
    loans.query().update(record! { Loan::days => 90 }).await.unwrap();
    loans.query().delete().await.unwrap();
    assert!(notes(db).await.is_empty());
}

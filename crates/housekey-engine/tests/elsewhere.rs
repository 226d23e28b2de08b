//! A storage that lets others go first at every call, so that requests sent at the same time meet.

use housekey_engine::schema::Table;
use housekey_engine::storage::{Filter, Find, Records, Storage, StorageResult, Transaction};
use housekey_engine::{BoxFuture, Clock, EngineBuilder, MemoryStorage, Record};

use crate::support::{Mailbox, TestEngine};

/// Rows in memory, as a database across a network would give them: everyone waits at every call.
pub(crate) struct Elsewhere(pub(crate) MemoryStorage);

macro_rules! calls {
    ($($name:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        impl Records for Elsewhere {
            $(fn $name<'a>(&'a self, $($argument: $kind),*) -> BoxFuture<'a, StorageResult<$answer>> {
                Box::pin(async move {
                    tokio::task::yield_now().await;
                    self.0.$name($($argument),*).await
                })
            })*
        }
    };
}

calls! {
    find(table: &'a Table, find: &'a Find) -> Vec<Record>;
    create(table: &'a Table, record: &'a Record) -> ();
    update(table: &'a Table, filter: &'a Filter, changes: &'a Record) -> u64;
    increment(table: &'a Table, filter: &'a Filter, field: &'a str, by: i64) -> Option<i64>;
    adjust(table: &'a Table, filter: &'a Filter, add: &'a [(&'static str, i64)], set: &'a Record) -> u64;
    delete(table: &'a Table, filter: &'a Filter) -> u64;
    count(table: &'a Table, filter: &'a Filter) -> u64;
}

impl Storage for Elsewhere {
    fn begin(&self) -> BoxFuture<'_, StorageResult<Box<dyn Transaction>>> {
        Box::pin(async move {
            tokio::task::yield_now().await;
            self.0.begin().await
        })
    }
}

/// An engine that keeps its rows there.
pub(crate) fn test_engine<E: Into<EngineBuilder>>(engine: impl FnOnce(&Mailbox) -> E) -> TestEngine {
    let (storage, clock, mailbox) = (MemoryStorage::new(), Clock::frozen_now(), Mailbox::default());
    let builder = engine(&mailbox).into().clock(clock.clone());
    let engine = builder.build(Elsewhere(storage.clone())).unwrap();
    TestEngine { engine, storage, clock, mailbox }
}

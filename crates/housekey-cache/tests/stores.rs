//! The shared suite on every store that needs nothing installed.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod suite;

suite::store_suite!(memory, |clock| (housekey_cache::MemoryStore::new(clock), ()));

suite::store_suite!(file, |clock| {
    let folder = tempfile::tempdir().unwrap();
    (housekey_cache::FileStore::open(folder.path(), clock).unwrap(), folder)
});

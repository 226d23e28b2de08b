//! Work that nobody waits for.

mod look_up_pages;
mod remind_reader;
mod remind_readers;

pub use look_up_pages::LookUpPages;
pub use remind_reader::RemindReader;
pub use remind_readers::RemindReaders;

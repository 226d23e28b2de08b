//! Work that nobody waits for.

pub use look_up_pages::LookUpPages;
pub use remind_reader::RemindReader;
pub use remind_readers::RemindReaders;

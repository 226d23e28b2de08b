//! The cache in a database: [`DatabaseStore`] over any engine, and the table it needs.

mod row;
mod source;
mod store;
mod table;

pub use source::DatabaseSource;
pub use store::DatabaseStore;
pub use table::{create_table, drop_table};

//! The cache in a database: [`DatabaseStore`] over any engine, and the table it needs.

mod row;
mod store;
mod table;

pub use store::DatabaseStore;
pub use table::{create_table, drop_table};

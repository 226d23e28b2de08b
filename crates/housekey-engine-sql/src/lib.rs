//! Keeps the auth engine's rows in SQLite, PostgreSQL or MySQL.
//!
//! - [`SqlStorage`] is a [`Storage`](housekey_engine::storage::Storage) over a [`Database`](housekey_database::Database): an
//!   app's own, or one opened by its address.
//! - [`SqlStorage::create_tables`] makes what is missing of an engine's tables. An app with migrations makes them there
//!   instead: [`describe`] says what they are.
//!
//! Tables, columns and stored values are those of Better Auth, so the database of a JavaScript deployment can be shared:
//! at most it gets one more column and, from `auth:schema --diff`, bounds of texts in indexes, which the deployment does not mind.
//!
//! ```
//! # tokio::runtime::Runtime::new().unwrap().block_on(async {
//! use housekey_engine::Engine;
//! use housekey_engine::options::{EmailAndPassword, EngineOptions};
//! use housekey_engine_sql::SqlStorage;
//!
//! let storage = SqlStorage::memory();
//! let options = EngineOptions {
//!     secret: "a secret of at least thirty-two characters".into(),
//!     email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
//!     ..Default::default()
//! };
//! let engine = Engine::build(options, storage.clone()).unwrap();
//! storage.create_tables(engine.schema()).await.unwrap();
//! # });
//! ```

mod error;
mod joins;
mod records;
mod select;
mod statement;
mod storage;
mod tables;
mod transaction;
mod values;
mod write;

pub use storage::SqlStorage;
pub use tables::describe;

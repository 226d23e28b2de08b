//! Three databases behind one door.
//!
//! - [`DatabaseConfig`] (`config/database.rs`) names the connections; [`Databases`] opens each when it is first used;
//!   [`db()`] and [`connection()`] find them from anywhere in an application.
//! - [`Database`] is a handle, cheap to clone: [`Database::table`] starts a [`Query`], [`Database::transaction`] does
//!   several things or none, [`Database::batch`] does so in one go, [`Database::raw`] runs SQL of your own.
//! - [`Row`] and [`FromRow`] bring results into types; [`Value`] and [`Record`] take values the other way.
//! - [`Schema`] describes tables for all engines, [`Migrator`] brings a database there and back, and
//!   [`Database::introspect`] reads what is really there.
//! - [`Model`] puts a type's rows behind names (`Post::find(7)`); [`Factory`] and [`Seeder`] fill tables.
//!   A [`Relation`] leads to the rows of another (`Book::author`), [`Query::with`] loads them for many rows at once.
//!   [`BelongsToOrganization`] keeps a model's queries among the rows of one [`Tenant`].
//! - [`Database::notify`] and [`Database::listen`] carry short words between processes, on PostgreSQL.
//! - [`DatabaseError`] says what went wrong, for people and for programs.
//!
//! What the engines do differently is settled here: times are kept in UTC with milliseconds (as sortable text on
//! SQLite), text is compared byte by byte, truth is true or false, and a number of rows is the number that matched.

mod action;
mod ambient;
mod clock;
mod column_type;
mod config;
mod database;
mod databases;
mod driver;
mod engine;
mod error;
mod first_use;
mod introspection;
mod listen;
mod made_name;
mod migrations;
mod model;
mod query;
mod query_log;
mod record;
mod row;
mod running;
mod schema;
mod source;
mod stable_hash;
mod table_makers;
mod target;
mod tenant;
#[cfg(feature = "testing")]
pub mod testing;
mod transaction;
mod value;

pub use action::Action;
pub use column_type::ColumnType;
pub use config::{ConnectionConfig, DatabaseConfig, PoolConfig};
pub use database::Database;
pub use databases::{Databases, connection, db};
pub use driver::Driver;
pub use error::DatabaseError;
#[doc(hidden)]
pub use first_use::BeforeFirstUse;
#[doc(hidden)]
pub use housekey_core::Result;
pub use housekey_macros::{DbEnum, FromRow, Model};
pub use introspection::{ColumnInfo, ForeignKeyInfo, IndexInfo, TableInfo};
pub use listen::{LONGEST_NOTIFICATION, Notifications};
pub use migrations::{Migrated, Migration, MigrationState, MigrationStatus, Migrations, Migrator, Planned};
pub use model::{
    BelongsTo, BelongsToOrganization, CountedField, Factory, HasMany, HasOne, LoadRelations, Loadable,
    ManyToMany, Model, ModelColumn, ModelHooks, Narrowed, Original, Owner, Records, Relation, RelationField,
    Seeder, Seeders,
};
#[doc(hidden)]
pub use model::{HookEvent, Hooked, RunHooks, run_hooks};
pub use query::{Chunks, CursorPage, Page, Query};
pub use query_log::QueryLog;
pub use record::Record;
pub use row::{FromRow, Row};
#[doc(hidden)]
pub use row::{field, written};
pub use rust_decimal::Decimal;
pub use schema::{Column, DefaultValue, ForeignKey, Index, Schema, Table};
/// The statement builder underneath ([sea-query](https://docs.rs/sea-query)), for what [`Query`] has no word for.
pub use sea_query as sql;
pub use source::DatabaseSource;
pub use tenant::{Tenant, TenantId, TenantSource, within_tenant};
pub use time::Date;
pub use transaction::{Batch, Transaction};
pub use uuid::Uuid;
pub use value::{DbEnum, FromValue, Json, Mismatch, Value};

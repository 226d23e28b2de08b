//! Queries, models and migrations on every engine, in one program: as many as there are files, each would be linked with every driver.

#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a test that cannot go on should end")]

mod aggregates;
mod batch;
mod column_types;
mod killed_server;
mod migrations;
mod model;
mod oracle;
mod pool;
mod query;
mod relations;
mod schema;
mod sqlite;
mod tenant;
mod transaction;
mod trouble;

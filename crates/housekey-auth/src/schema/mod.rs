//! The tables of `config/auth.rs` as a migration: what an app's database lacks of them, written for people to read.
//!
//! [`Plan::fresh`] is everything, [`Plan::missing`] only what a database has not got yet. A plan is one thing told twice:
//! [`Plan::up`] and [`Plan::down`] change a schema, [`Plan::to_rust`] is the file that does the same in an app.
//!
//! The file uses the schema builder's own types, which are alike on the three engines. Text in an index is a
//! `varchar` of the engine's bound, never a `text`; nothing is ever dropped by [`Plan::up`].

mod absent;
mod apply;
mod compare;
mod name;
mod plan;
mod rust;

pub use absent::MissingTables;
pub(crate) use absent::REMEDY;
pub use compare::Conflict;
pub use plan::Plan;

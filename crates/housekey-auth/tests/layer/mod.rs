//! The layer through HTTP: who is there, who may pass, what the engine is told.
mod accessors;
mod acting_as;
mod address;
mod boot;
mod calls;
mod cookie_cache;
mod guards;
mod limits;
mod mounting;
mod transactions;
mod weak_passwords;

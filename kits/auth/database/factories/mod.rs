//! What makes rows for tests and for trying things out.

mod user_factory;

pub use user_factory::UserFactory;

//! What an action on an account asks for: the table, which `config/auth.rs` may change. Who asks is in `guards/action`.

mod action;
mod demand;
mod table;

pub use action::Action;
pub use demand::Demand;
pub use table::Demands;

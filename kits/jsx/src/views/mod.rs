//! What people see. A view is a function that returns a component; `rsx!` is HTML that the compiler checks.

pub mod components;
pub mod errors;
pub mod layouts;
pub mod pages;

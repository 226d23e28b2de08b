//! Letting in a device that shows a code: a command line, a television. The engine does the work; here is what people see of it.

pub mod asked;
pub mod code_controller;
pub mod decision_controller;
pub mod standing;

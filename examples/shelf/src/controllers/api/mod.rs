//! The library for programs: JSON, with a token in `authorization`.

pub mod books_controller;
pub mod loans_controller;
pub mod tokens_controller;

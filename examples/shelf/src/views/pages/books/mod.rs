//! The books: all of them, one of them, and the form for one.

mod form;
mod index;
mod show;

pub use form::{BookToEdit, form};
pub use index::{BookIndex, index};
pub use show::{BookPage, show};

//! The books: all of them, one of them, and the form for one.

pub use form::{BookToEdit, form};
pub use index::{BookIndex, index};
pub use show::{BookPage, show};

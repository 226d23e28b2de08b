pub mod books;
pub mod shelfs;

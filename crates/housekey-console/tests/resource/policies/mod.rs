pub mod book_policy;

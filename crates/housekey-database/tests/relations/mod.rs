//! Shelf, a small lending library: books, authors, tags, loans, and how its models lead to each other, on every engine.

mod cursor;
mod hooks;
mod loading;
mod matching;
mod shelf;
mod tenant;
mod uuid_keys;
mod writing;

pub mod book;
pub mod desk;
pub mod shelf;

pub mod book_factory;
pub mod desk;
pub mod shelf_factory;

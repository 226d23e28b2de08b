pub mod book_controller;
pub mod desk;
pub mod shelf_controller;

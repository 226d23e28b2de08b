pub mod book_request;
pub mod desk;
pub mod shelf_request;

pub mod library_card;

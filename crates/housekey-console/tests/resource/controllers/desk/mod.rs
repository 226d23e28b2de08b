pub mod library_card_controller;

pub mod library_card_factory;

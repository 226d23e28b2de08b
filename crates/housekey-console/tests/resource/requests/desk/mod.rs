pub mod library_card_request;

pub mod send_invoice;

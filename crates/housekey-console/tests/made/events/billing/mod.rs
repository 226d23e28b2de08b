pub mod order_paid;

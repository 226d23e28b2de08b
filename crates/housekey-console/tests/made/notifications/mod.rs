pub mod invoice_paid;

pub mod reports;

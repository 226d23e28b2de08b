pub mod billing;

//! Requests that nobody meant, through the kernel: changed forms, methods and cookies.
//!
//! How the inputs come about says `housekey_test_support::fuzz`.

mod cookies;
mod forms;

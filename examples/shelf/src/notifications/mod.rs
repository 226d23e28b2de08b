//! What people are told by mail.

mod invitation;
mod loan_due;
mod receipt;

pub use invitation::Invitation;
pub use loan_due::LoanDue;
pub use receipt::Receipt;

//! What people are told by mail.

pub use invitation::Invitation;
pub use loan_due::LoanDue;
pub use receipt::Receipt;

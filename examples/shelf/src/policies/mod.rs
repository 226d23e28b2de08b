//! Who may do what with books and loans.

mod book_policy;
mod loan_policy;

use housekey::auth::User;

pub use book_policy::BookPolicy;
pub use loan_policy::LoanPolicy;

/// Whether somebody looks after the books. The column is in `config/auth.rs`.
pub fn is_librarian(user: &User) -> bool {
    user.fields.text("role") == Some("librarian")
}

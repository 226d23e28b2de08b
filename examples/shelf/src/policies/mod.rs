//! Who may do what with books and loans.

use housekey::auth::User;
use housekey::auth::gate::Gate;

pub use book_policy::BookPolicy;
pub use loan_policy::LoanPolicy;

/// Whether somebody looks after the books. The column is in `config/auth.rs`.
pub fn is_librarian(user: &User) -> bool {
    user.fields.text("role") == Some("librarian")
}

/// What is about the library and not about one book.
pub fn abilities(gate: &mut Gate) {
    gate.define("run-library", is_librarian);
}

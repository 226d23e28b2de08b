//! Several accounts in one browser: which there are, going from one to the other, adding one.

mod adding;
mod list;

pub use adding::add_account;
pub(crate) use adding::is_adding_account;
pub use list::{SignedInAccount, accounts, sign_out_account, switch_account};

use housekey::auth::User;
use housekey::auth::gate::{Policy, PolicyBuilder};

use super::is_librarian;
use crate::models::Loan;

pub struct LoanPolicy;

impl Policy for LoanPolicy {
    type Model = Loan;

    fn abilities(self, policy: &mut PolicyBuilder<Loan>) {
        policy.define("return", Self::take_back);
    }
}

impl LoanPolicy {
    fn take_back(user: &User, loan: &Loan) -> bool {
        is_librarian(user) || loan.user_id.as_deref() == Some(user.id.as_str())
    }
}

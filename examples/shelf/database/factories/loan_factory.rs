use housekey::database::{Factory, Record};
use housekey::prelude::*;
use time::Duration;

use crate::calendar::today;
use crate::models::Loan;

/// Loans that began today. The book and the reader are said by who makes one.
pub struct LoanFactory;

impl Factory for LoanFactory {
    type Model = Loan;

    fn definition(_: u64) -> Record {
        record! {
            Loan::lent_on => today(),
            Loan::due_on => today() + Duration::days(28),
            Loan::is_open => true,
        }
    }
}

use housekey::prelude::*;
use serde::{Deserialize, Serialize};

use crate::calendar::today;
use crate::models::Loan;
use crate::notifications::LoanDue;

/// Reminds somebody of one book, once a day at most: a job may run twice.
#[derive(Debug, Serialize, Deserialize)]
pub struct RemindReader {
    pub loan: i64,
}

impl Job for RemindReader {
    const NAME: &'static str = "remind-reader";

    async fn handle(self) -> Result<()> {
        let today = today();
        let claimed = Loan::query()?
            .scope(Loan::open)
            .where_eq(Loan::id, self.loan)
            .where_any(|any| any.where_null(Loan::reminded_on).where_(Loan::reminded_on, "<", today))
            .update(record! { Loan::reminded_on => today })
            .await?;
        if claimed == 0 {
            return Ok(());
        }
        let loan = Loan::query()?
            .where_eq(Loan::id, self.loan)
            .with(Loan::book)
            .with(Loan::reader)
            .first_or_404()
            .await?;
        let Some(reader) = loan.reader.as_deref() else { return Ok(()) };
        notify(
            reader,
            LoanDue { title: loan.book.title.clone(), due_on: loan.due_on, is_late: loan.is_overdue() },
        )
        .await
    }
}

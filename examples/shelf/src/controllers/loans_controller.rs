use housekey::prelude::*;

use super::pages::{member_of, private};
use crate::models::{Book, Loan};
use crate::requests::book::After;
use crate::views::pages::loans::{LoanList, loans};

/// `GET /loans`: one's own, the newest first.
pub async fn index(CurrentUser(user): CurrentUser, ValidQuery(wanted): ValidQuery<After>) -> Result<View> {
    let found = Loan::query()?
        .where_eq(Loan::user_id, user.id.as_str())
        .with(Loan::book)
        .order_by_desc(Loan::id)
        .cursor_paginate(wanted.after.as_deref(), 20)
        .await?;
    Ok(private(view(loans(&LoanList { member: member_of(&user), loans: found }))))
}

/// `POST /books/{book}/loans`
pub async fn store(CurrentUser(user): CurrentUser, Bound(book): Bound<Book>) -> Result<Redirect> {
    Ok(match Loan::lend(&book, &user.id).await? {
        Some(loan) => back().with("status", t!("Enjoy it! Please bring it back by :day.", day = loan.due_on)),
        None => back().with("warning", t("Somebody was faster: this book is lent.")),
    })
}

/// `DELETE /loans/{loan}`: the book is back.
pub async fn destroy(Bound(mut loan): Bound<Loan>) -> Result<Redirect> {
    loan.take_back().await?;
    Ok(back().with("status", t("Thank you, it is back on the shelf.")))
}

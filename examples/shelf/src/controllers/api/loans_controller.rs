use housekey::prelude::*;
use serde::Serialize;

use crate::models::{Book, Loan};

/// A book that somebody has.
#[typescript]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct LoanResource {
    pub id: i64,
    pub book_id: i64,
    pub due_on: String,
}

/// `POST /api/books/{book}/loans`
pub async fn store(CurrentUser(user): CurrentUser, Bound(book): Bound<Book>) -> Result<Json<LoanResource>> {
    let Some(loan) = Loan::lend(&book, &user.id).await? else {
        return Err(Error::conflict(t("This book is lent.")));
    };
    Ok(Json(LoanResource { id: loan.id, book_id: loan.book_id, due_on: loan.due_on.to_string() }))
}

/// `DELETE /api/loans/{loan}`
pub async fn destroy(Bound(mut loan): Bound<Loan>) -> Result<StatusCode> {
    loan.take_back().await?;
    Ok(StatusCode::NO_CONTENT)
}

use housekey::prelude::*;

use super::pages::{member_of, private};
use crate::models::AuditEntry;
use crate::requests::book::After;
use crate::views::pages::activity::{Activity, activity};

/// `GET /activity`
pub async fn index(CurrentUser(user): CurrentUser, ValidQuery(wanted): ValidQuery<After>) -> Result<View> {
    let entries = AuditEntry::query()?
        .with(AuditEntry::book)
        .with(AuditEntry::person)
        .order_by_desc(AuditEntry::id)
        .cursor_paginate(wanted.after.as_deref(), 50)
        .await?;
    Ok(private(view(activity(&Activity { member: member_of(&user), entries }))))
}

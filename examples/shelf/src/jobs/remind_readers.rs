use housekey::log;
use housekey::prelude::*;
use housekey::queue::batch;
use serde::{Deserialize, Serialize};

use super::RemindReader;
use crate::calendar::today;
use crate::models::Loan;

/// Every morning: whoever has to bring a book back by tomorrow is reminded, each by a job of their own.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct RemindReaders;

impl Job for RemindReaders {
    const NAME: &'static str = "remind-readers";

    async fn handle(self) -> Result<()> {
        let today = today();
        let tomorrow = today.next_day().unwrap_or(today);
        let due: Vec<i64> =
            Loan::query()?.scope(Loan::open).where_(Loan::due_on, "<=", tomorrow).pluck(Loan::id).await?;
        log::info!(loans = due.len(), "readers to remind");
        if due.is_empty() {
            return Ok(());
        }
        let reminders: Vec<_> = due.into_iter().map(|loan| RemindReader { loan }).collect();
        batch(reminders).name(format!("reminders of {today}")).allow_failures().dispatch().await?;
        Ok(())
    }
}

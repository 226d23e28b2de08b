use housekey::prelude::*;
use serde::{Deserialize, Serialize};

/// Work that is done later: `SendInvoice { id: 7 }.dispatch().await?`
#[derive(Debug, Serialize, Deserialize)]
pub struct SendInvoice {
    pub id: i64,
}

impl Job for SendInvoice {
    const NAME: &'static str = "billing/send-invoice";

    /// It can run twice, when a worker dies before its last word: a second run should do no harm.
    async fn handle(self) -> Result<()> {
        Ok(())
    }
}

use housekey::prelude::*;
use serde::{Deserialize, Serialize};

/// Something that happened, for whoever listens: `emit(OrderPaid { id: 7 }).await?`
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OrderPaid {
    pub id: i64,
}

impl Event for OrderPaid {
    const NAME: &'static str = "billing/order-paid";
}

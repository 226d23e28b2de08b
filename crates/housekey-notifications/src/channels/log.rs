use housekey_mail::redact_for_log;

use crate::channel::{Channel, ChannelFuture, Delivery};
use crate::secrets::without_secrets;

/// Writes to the log that somebody was told something, without anything that could be a secret.
pub(crate) struct LogChannel;

impl Channel for LogChannel {
    fn name(&self) -> &'static str {
        "log"
    }

    fn needs_address(&self) -> bool {
        false
    }

    // spec: NTF-8
    fn deliver<'a>(&'a self, delivery: &'a Delivery) -> ChannelFuture<'a> {
        Box::pin(async move {
            let to = delivery.to.as_ref().map(|key| format!("{} {}", key.kind, key.id));
            let to = to.or_else(|| delivery.address.clone()).unwrap_or_default();
            let data = without_secrets(&delivery.kind, delivery.data()).to_string();
            tracing::info!(target: "housekey::notifications", kind = delivery.kind, to, "{}", redact_for_log(&data));
            Ok(())
        })
    }
}

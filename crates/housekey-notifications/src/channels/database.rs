use housekey_core::{Clock, Error, service};

use crate::channel::{Channel, ChannelFuture, Delivery};
use crate::inbox::{Inbox, StoredNotification};
use crate::secrets::without_secrets;

/// Stores a notification for its recipient to read in the app.
pub(crate) struct DatabaseChannel;

impl Channel for DatabaseChannel {
    fn name(&self) -> &'static str {
        "database"
    }

    fn needs_address(&self) -> bool {
        false
    }

    fn deliver<'a>(&'a self, delivery: &'a Delivery) -> ChannelFuture<'a> {
        Box::pin(async move {
            let Some(owner) = delivery.to.clone() else {
                // An address on its own has no inbox.
                return Ok(());
            };
            let inbox = service::<Inbox>().ok_or_else(|| {
                Error::internal(format!(
                    "{} goes over the channel `database` but there is no store for it; turn on housekey's database \
                     feature and migrate the `notifications` table, or leave `database` out of its channels()",
                    delivery.kind
                ))
            })?;
            let now = service::<Clock>().map_or_else(|| Clock::system().now(), |clock| clock.now());
            let stored = StoredNotification {
                id: delivery.id.clone(),
                kind: delivery.kind.clone(),
                owner,
                data: without_secrets(&delivery.kind, delivery.data()),
                read_at: None,
                created_at: now,
            };
            inbox.store().insert(stored).await
        })
    }
}

use housekey_core::Error;
use housekey_mail::mail;

use crate::channel::{Channel, ChannelFuture, Content, Delivery};

/// Sends a mail by the application's mailer.
pub(crate) struct MailChannel;

impl Channel for MailChannel {
    fn name(&self) -> &'static str {
        "mail"
    }

    fn deliver<'a>(&'a self, delivery: &'a Delivery) -> ChannelFuture<'a> {
        Box::pin(async move {
            let Content::Mail(message) = &delivery.content else {
                return Err(Error::internal("the mail channel was given something that is no mail"));
            };
            mail()?.send((**message).clone()).await
        })
    }
}

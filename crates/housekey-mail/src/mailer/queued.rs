use housekey_core::translation::locale;
use housekey_core::{Error, Result};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{Destination, Mailer};
use crate::{DeferredJob, JobQueue, Message};

/// The name under which queued mails stand in a queue. A worker gives their payload to [`Mailer::run_job`].
pub const MAIL_JOB: &str = "housekey.mail";

/// What the payload is sealed for.
const PURPOSE: &str = "queued mail";

#[derive(Serialize, Deserialize)]
struct QueuedMail {
    mailer: String,
    message: Message,
}

impl Mailer {
    /// Puts the mail into the application's queue. Without a queue it is sent now.
    ///
    /// A message that could never be sent (no recipient, no subject, a broken address) fails here, not in the worker.
    /// What stands in the queue is sealed with `APP_KEY`.
    pub async fn queue(&self, message: Message) -> Result<()> {
        let message = match message.locale {
            Some(_) => message,
            None => message.locale(locale()),
        };
        let mail = self.render(message.clone()).await?;
        let faked = self.shared.fake.get().is_some()
            || matches!(self.shared.destinations.get(&*self.name), Some(Destination::Fake));
        if faked {
            return self.hand_on(mail, true).await;
        }
        match self.shared.jobs.clone().or_else(JobQueue::current) {
            Some(jobs) => jobs.push(DeferredJob::new(MAIL_JOB, self.encode(message)?)).await,
            None => self.hand_on(mail, false).await,
        }
    }

    /// Sends a mail that was queued.
    pub async fn run_job(&self, payload: &Value) -> Result<()> {
        let queued = self.decode(payload)?;
        self.mailer(&queued.mailer)?.send(queued.message).await
    }

    /// The message of a mail that was queued: for whoever must know what may not be said about a failure.
    pub fn queued_message(&self, payload: &Value) -> Result<Message> {
        self.decode(payload).map(|queued| queued.message)
    }

    fn encode(&self, message: Message) -> Result<Value> {
        let queued = QueuedMail { mailer: self.name.to_string(), message };
        match &self.shared.encrypter {
            Some(encrypter) => Ok(json!({ "sealed": encrypter.encrypt_value(&queued, PURPOSE)? })),
            None => Ok(serde_json::to_value(queued)?),
        }
    }

    fn decode(&self, payload: &Value) -> Result<QueuedMail> {
        match &self.shared.encrypter {
            // Whoever can write to the queue's store must not be able to send mail in our name.
            Some(encrypter) => {
                let sealed = payload["sealed"].as_str().ok_or_else(|| {
                    Error::internal("a queued mail is not sealed; it was not put there by this application")
                })?;
                encrypter.decrypt_value(sealed, PURPOSE).map_err(|error| {
                    error.context(
                        "a queued mail cannot be opened; was APP_KEY changed without APP_PREVIOUS_KEYS?",
                    )
                })
            }
            None => Ok(serde_json::from_value(payload.clone())?),
        }
    }
}

use housekey_core::{Clock, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::JobId;
use crate::driver::NewJob;
use crate::payload_codec::PayloadCodec;

/// A job of a chain that waits for its turn.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct Link {
    pub(crate) name: String,
    pub(crate) queue: String,
    pub(crate) payload: Value,
}

/// What is behind a job in its chain. It travels with the job, sealed.
#[derive(Clone, Default, Serialize, Deserialize)]
pub(crate) struct RemainingJobs {
    pub(crate) links: Vec<Link>,
    pub(crate) catch: Option<Link>,
}

/// What follows a job: made before the job runs, so that nothing can go wrong afterwards.
#[derive(Default)]
pub(crate) struct Followers {
    /// When it is done.
    pub(crate) next: Option<NewJob>,
    /// When it has failed for good.
    pub(crate) catch: Option<NewJob>,
    /// The names of all that are behind it.
    names: Vec<String>,
}

impl RemainingJobs {
    /// As it is kept with a job; nothing when nothing follows.
    pub(crate) fn encode(&self, id: &JobId, codec: &PayloadCodec) -> Result<Option<String>> {
        if self.links.is_empty() && self.catch.is_none() {
            return Ok(None);
        }
        codec.encode_for(&purpose(id), &serde_json::to_vec(self)?).map(Some)
    }

    pub(crate) fn decode(text: &str, id: &JobId, codec: &PayloadCodec) -> Result<Self> {
        let opened = codec.decode_for(&purpose(id), text).map_err(|error| {
            error.context("what follows it in its chain is not what this application has put there")
        })?;
        Ok(serde_json::from_slice(&opened)?)
    }
}

impl Followers {
    pub(crate) fn of(id: &JobId, chain: Option<&str>, codec: &PayloadCodec, clock: &Clock) -> Result<Self> {
        let Some(text) = chain else { return Ok(Self::default()) };
        let mut remaining = RemainingJobs::decode(text, id, codec)?;
        let names: Vec<String> = remaining.links.iter().map(|link| link.name.clone()).collect();
        let catch = remaining.catch.clone().map(|link| link.into_job(codec, clock)).transpose()?;
        let next = if remaining.links.is_empty() {
            None
        } else {
            let job = remaining.links.remove(0).into_job(codec, clock)?;
            Some(NewJob { chain: remaining.encode(&job.id, codec)?, ..job })
        };
        Ok(Self { next, catch, names })
    }

    /// What to add to the reason of a failure.
    pub(crate) fn not_started(&self) -> Option<String> {
        let names = self.names.join(", ");
        (!names.is_empty()).then(|| format!("the chain stops here, and goes on when it is retried: {names}"))
    }
}

impl Link {
    pub(crate) fn into_job(self, codec: &PayloadCodec, clock: &Clock) -> Result<NewJob> {
        let payload = codec.encode(&self.name, &serde_json::to_vec(&self.payload)?)?;
        Ok(NewJob::new(JobId::new(clock), self.queue, self.name, payload))
    }
}

/// Bound to the job: what follows one cannot be put behind another.
fn purpose(id: &JobId) -> String {
    format!("chain behind the queued job {id}")
}

use std::fmt;

use housekey_core::{Error, Result};
use serde_json::Value;

use crate::chain::Link;
use crate::{Job, Queue};

/// A job whose type is forgotten: what a [`chain`](crate::chain()) or a [`batch`](crate::batch()) is made of.
pub struct AnyJob {
    name: &'static str,
    queue: String,
    payload: serde_json::Result<Value>,
}

impl AnyJob {
    /// What it carries, or why it cannot wait for another.
    pub(crate) fn into_link(self, queue: &Queue) -> Result<Link> {
        let payload = self.payload.map_err(|error| {
            Error::from(error).context(format!("the job `{}` cannot be written as JSON", self.name))
        })?;
        queue.link(self.name, &self.queue, payload)
    }
}

impl<J: Job> From<J> for AnyJob {
    fn from(job: J) -> Self {
        Self { name: J::NAME, queue: job.queue().to_owned(), payload: serde_json::to_value(&job) }
    }
}

impl fmt::Debug for AnyJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "AnyJob({})", self.name)
    }
}

/// Several jobs: an array or a `Vec` of one kind, or a tuple of any kinds.
pub trait IntoJobs {
    /// All of them, in order.
    fn into_jobs(self) -> Vec<AnyJob>;
}

impl<J: Job> IntoJobs for Vec<J> {
    fn into_jobs(self) -> Vec<AnyJob> {
        self.into_iter().map(AnyJob::from).collect()
    }
}

impl<J: Job, const N: usize> IntoJobs for [J; N] {
    fn into_jobs(self) -> Vec<AnyJob> {
        self.into_iter().map(AnyJob::from).collect()
    }
}

macro_rules! tuples {
    ($($job:ident)*) => {
        impl<$($job: Job),*> IntoJobs for ($($job,)*) {
            #[allow(non_snake_case, reason = "a value is called as its type is")]
            fn into_jobs(self) -> Vec<AnyJob> {
                let ($($job,)*) = self;
                vec![$($job.into()),*]
            }
        }
    };
}

tuples!(A);
tuples!(A B);
tuples!(A B C);
tuples!(A B C D);
tuples!(A B C D E);
tuples!(A B C D E F);
tuples!(A B C D E F G);
tuples!(A B C D E F G H);

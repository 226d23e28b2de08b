use housekey_core::{Error, Result, service};

use crate::Queue;

/// The application's queue, from anywhere below a handler, a command or a job.
pub fn queue() -> Result<Queue> {
    service::<Queue>().map(|queue| (*queue).clone()).ok_or_else(|| {
        Error::internal(
            "no queue here: dispatching works inside an application that has the queue provider; elsewhere, pass a Queue",
        )
    })
}

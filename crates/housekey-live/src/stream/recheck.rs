use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::sleep;

use super::visitor::Visitor;
use crate::hub::Subscriptions;

/// The shortest time between two looks. Somebody whose account changes all the time costs no more than this.
const SHORTEST: Duration = Duration::from_millis(200);

/// Watches over a stream: asks again and again who they are and what they may hear, whether they read or not. It ends with the stream.
pub(super) struct RecheckTask(JoinHandle<()>);

impl RecheckTask {
    pub(super) fn start(visitor: Visitor, subscriptions: Arc<Subscriptions>) -> Self {
        Self(tokio::spawn(async move { watch(&visitor, &subscriptions).await }))
    }
}

impl Drop for RecheckTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

async fn watch(visitor: &Visitor, subscriptions: &Subscriptions) {
    let every = Duration::from_secs(visitor.live().config().recheck.max(1));
    loop {
        let pause = visitor.lasts().map_or(every, |lasts| lasts.min(every)).max(SHORTEST);
        tokio::select! {
            () = subscriptions.recheck_asked() => {}
            () = sleep(pause) => {}
        }
        match visitor.ask(&subscriptions.channels()).await {
            Ok(answers) => {
                answers.into_iter().filter_map(Result::err).for_each(|refusal| subscriptions.refuse(refusal));
            }
            Err(end) => return subscriptions.end(end),
        }
        sleep(SHORTEST).await;
    }
}

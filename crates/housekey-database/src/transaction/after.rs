use std::pin::Pin;

/// What waits for a transaction to be committed, with the depth of the level that asked for it.
#[derive(Default)]
pub(crate) struct AfterCommit(Vec<(usize, Work)>);

type Work = Pin<Box<dyn Future<Output = ()> + Send>>;

impl AfterCommit {
    pub(super) fn push(&mut self, depth: usize, work: impl Future<Output = ()> + Send + 'static) {
        self.0.push((depth, Box::pin(work)));
    }

    /// A level is committed: its work now goes with the level around it.
    pub(super) fn hand_out(&mut self, depth: usize) {
        for (of, _) in self.0.iter_mut().filter(|(of, _)| *of == depth) {
            *of -= 1;
        }
    }

    /// A level is rolled back, with everything inside it.
    pub(super) fn drop_inside(&mut self, depth: usize) {
        self.0.retain(|(of, _)| *of < depth);
    }

    pub(super) async fn run(self) {
        for (_, work) in self.0 {
            work.await;
        }
    }
}

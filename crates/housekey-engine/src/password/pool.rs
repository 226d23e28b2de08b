use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use argon2::Block;
use tokio::sync::oneshot;

/// How long a thread keeps its working memory (19 MiB) after the last job.
const IDLE: Duration = Duration::from_secs(2);
/// Blocks (of one KiB) to ask for at least. glibc gives what is larger than 32 MiB back to the system when it is freed,
/// and keeps what is smaller for later, twice over. What is not written to is not in memory.
const ROOM: usize = 33 * 1024;
/// The niceness of the threads: a storm of sign-ins must not starve the requests of those who are in.
#[cfg(target_os = "linux")]
const NICENESS: i32 = 10;

/// The queue is full, or no thread could be started.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Busy;

/// A few threads for work that costs a core, behind a short queue.
///
/// Threads start when first needed and end with the pool. A job whose caller went away is not begun. Threads of the runtime would
/// do, were it not for what these have of their own: a lower priority, and 19 MiB that go from one hash to the next.
#[derive(Debug)]
pub(super) struct Pool {
    shared: Arc<Shared>,
    threads: usize,
    queue: usize,
}

#[derive(Debug)]
struct Shared {
    state: Mutex<State>,
    wake: Condvar,
}

#[derive(Default)]
struct State {
    jobs: VecDeque<Job>,
    started: usize,
    idle: usize,
    closed: bool,
}

type Job = Box<dyn FnOnce(&mut Scratch) + Send>;

/// Memory that a thread lends to one hash after the other.
#[derive(Default)]
pub(super) struct Scratch {
    blocks: Vec<Block>,
}

impl Scratch {
    pub(super) fn blocks(&mut self, count: usize) -> &mut [Block] {
        if self.blocks.len() < count {
            self.blocks.reserve_exact(count.max(ROOM).saturating_sub(self.blocks.len()));
            self.blocks.resize(count, Block::default());
        }
        self.blocks.get_mut(..count).unwrap_or_default()
    }

    fn is_empty(&self) -> bool {
        self.blocks.capacity() == 0
    }
}

impl Pool {
    pub(super) fn new(threads: usize, queue: usize) -> Self {
        let shared = Shared { state: Mutex::default(), wake: Condvar::new() };
        Self { shared: Arc::new(shared), threads, queue }
    }

    pub(super) async fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&mut Scratch) -> T + Send + 'static,
    ) -> Result<T, Busy> {
        let (sender, receiver) = oneshot::channel();
        self.enqueue(Box::new(move |scratch| {
            if !sender.is_closed() {
                let _ = sender.send(work(scratch));
            }
        }))?;
        receiver.await.map_err(|_| Busy)
    }

    fn enqueue(&self, job: Job) -> Result<(), Busy> {
        let mut state = self.shared.lock();
        if state.jobs.len() >= self.queue {
            return Err(Busy);
        }
        if state.jobs.len() >= state.idle && state.started < self.threads {
            let shared = Arc::clone(&self.shared);
            let thread = std::thread::Builder::new().name("password-hash".into());
            match thread.spawn(move || shared.work()) {
                Ok(_) => state.started += 1,
                Err(_) if state.started == 0 => return Err(Busy),
                Err(_) => {}
            }
        }
        state.jobs.push_back(job);
        drop(state);
        self.shared.wake.notify_one();
        Ok(())
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.lock().closed = true;
        self.shared.wake.notify_all();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        step_back();
        let mut scratch = Scratch::default();
        while let Some(job) = self.next(&mut scratch) {
            // A hash that panics (none is known to) costs its caller an error, not the pool a thread.
            let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| job(&mut scratch)));
        }
    }

    fn next(&self, scratch: &mut Scratch) -> Option<Job> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if let Some(job) = state.jobs.pop_front() {
                state.idle -= 1;
                return Some(job);
            }
            if state.closed {
                return None;
            }
            let waited = self.wake.wait_timeout(state, IDLE).unwrap_or_else(PoisonError::into_inner);
            state = waited.0;
            if waited.1.timed_out() && !scratch.is_empty() {
                // The system takes its time for so much memory, and requests wait for this lock when they bring a job.
                drop(state);
                *scratch = Scratch::default();
                state = self.lock();
            }
        }
    }
}

impl std::fmt::Debug for State {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("State").field("waiting", &self.jobs.len()).field("threads", &self.started).finish()
    }
}

/// Lowers this thread's priority where the system lets a thread have its own.
fn step_back() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::process::setpriority_process(None, NICENESS) {
        tracing::debug!(%error, "the hashing threads keep the normal priority");
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    /// Only what hangs gets there.
    const DEADLINE: Duration = Duration::from_secs(60);

    #[tokio::test]
    async fn work_comes_back_from_another_thread() {
        let pool = Pool::new(1, 4);
        let name = pool.run(|_| std::thread::current().name().map(str::to_owned)).await.unwrap();
        assert_eq!(name.as_deref(), Some("password-hash"));
    }

    #[tokio::test]
    async fn a_full_queue_refuses_at_once() {
        let pool = Arc::new(Pool::new(1, 1));
        let (started, has_started) = mpsc::channel();
        let (release, wait) = mpsc::channel::<()>();
        let busy = Arc::clone(&pool);
        let first = tokio::spawn(async move {
            busy.run(move |_| {
                started.send(()).unwrap();
                wait.recv_timeout(DEADLINE).unwrap();
            })
            .await
        });
        tokio::task::spawn_blocking(move || has_started.recv_timeout(DEADLINE).unwrap()).await.unwrap();
        let mut second = Box::pin(pool.run(|_| 2));
        assert!(
            std::future::poll_fn(|context| std::task::Poll::Ready(
                second.as_mut().poll(context).is_pending()
            ))
            .await
        );
        assert_eq!(pool.run(|_| 3).await, Err(Busy));
        release.send(()).unwrap();
        first.await.unwrap().unwrap();
        assert_eq!(second.await, Ok(2));
    }

    #[tokio::test]
    async fn a_job_that_panics_is_an_error_for_its_caller_only() {
        let pool = Pool::new(1, 4);
        assert_eq!(pool.run(|_| -> u8 { std::panic::resume_unwind(Box::new("broken")) }).await, Err(Busy));
        assert_eq!(pool.run(|_| 1).await, Ok(1));
    }
}

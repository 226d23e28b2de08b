use std::convert::Infallible;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use hyper::service::Service;

/// Where the requests of a connection are worked on, one after the other.
///
/// Work begins when a request is handed in, and not when hyper first asks for the answer. In between, hyper makes room for
/// what it may read next, and a request that is still about holds on to the room it was read into: another would have to
/// be found for each. Most requests are answered by then.
///
/// The work of a connection always lies in the same place: it is larger than all else that a request needs.
pub(super) struct Desk<M, F> {
    begin: M,
    place: Place<F>,
}

type Place<F> = Arc<Mutex<Pin<Box<Option<F>>>>>;

impl<M, F> Desk<M, F> {
    /// `begin` starts the work on a request.
    pub(super) fn new(begin: M) -> Self {
        Self { begin, place: Arc::new(Mutex::new(Box::pin(None))) }
    }
}

impl<R, M, F, A> Service<R> for Desk<M, F>
where
    M: Fn(R) -> F,
    F: Future<Output = A>,
{
    type Response = A;
    type Error = Infallible;
    type Future = Work<F, A>;

    fn call(&self, request: R) -> Work<F, A> {
        let mut place = lock(&self.place);
        place.set(Some((self.begin)(request)));
        // Nobody can be woken yet, and nobody needs to be: hyper asks again before it waits for anything.
        match go_on(&mut place, &mut Context::from_waker(Waker::noop())) {
            Poll::Ready(answer) => Work::Done(answer),
            Poll::Pending => Work::InPlace(InPlace(Arc::clone(&self.place))),
        }
    }
}

/// The answer to one request, or the work on it.
pub(super) enum Work<F, A> {
    Done(Option<A>),
    InPlace(InPlace<F>),
}

/// Work that lies on the desk. If nobody waits for it any more, it ends.
pub(super) struct InPlace<F>(Place<F>);

// What is pinned is the work in its place; an answer is only handed on.
impl<F, A> Unpin for Work<F, A> {}

impl<F: Future<Output = A>, A> Future for Work<F, A> {
    type Output = Result<A, Infallible>;

    fn poll(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Self::Output> {
        let answer = match &mut *self {
            Self::Done(answer) => answer.take(),
            Self::InPlace(work) => {
                let Poll::Ready(answer) = go_on(&mut lock(&work.0), cx) else { return Poll::Pending };
                // The place is free: from here on it may be the next request's.
                *self = Self::Done(None);
                answer
            }
        };
        // hyper asks no more once it has the answer.
        answer.map_or(Poll::Pending, |answer| Poll::Ready(Ok(answer)))
    }
}

impl<F> Drop for InPlace<F> {
    fn drop(&mut self) {
        lock(&self.0).set(None);
    }
}

fn go_on<F: Future>(place: &mut Pin<Box<Option<F>>>, cx: &mut Context<'_>) -> Poll<Option<F::Output>> {
    let Some(work) = place.as_mut().as_pin_mut() else { return Poll::Ready(None) };
    match work.poll(cx) {
        Poll::Ready(answer) => {
            // What the work held goes now, the request above all.
            place.set(None);
            Poll::Ready(Some(answer))
        }
        Poll::Pending => Poll::Pending,
    }
}

fn lock<F>(place: &Place<F>) -> MutexGuard<'_, Pin<Box<Option<F>>>> {
    place.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    struct Counted(Arc<AtomicUsize>);

    impl Drop for Counted {
        fn drop(&mut self) {
            self.0.fetch_add(1, Ordering::Relaxed);
        }
    }

    #[tokio::test]
    async fn what_is_done_at_once_has_let_go_of_its_request_before_it_is_asked_for() {
        let dropped = Arc::new(AtomicUsize::new(0));
        let desk = Desk::new(async |request: Counted| {
            drop(request);
            "answer"
        });
        let work = desk.call(Counted(dropped.clone()));
        assert_eq!(dropped.load(Ordering::Relaxed), 1);
        assert_eq!(work.await, Ok("answer"));
    }

    #[tokio::test]
    async fn what_waits_is_woken_and_the_next_request_takes_its_place() {
        let desk = Desk::new(async |number: u32| {
            tokio::task::yield_now().await;
            tokio::time::sleep(std::time::Duration::from_millis(1)).await;
            number + 1
        });
        for number in 0..5 {
            assert_eq!(desk.call(number).await, Ok(number + 1));
        }
    }

    #[tokio::test]
    async fn work_that_nobody_waits_for_ends() {
        let dropped = Arc::new(AtomicUsize::new(0));
        let desk = Desk::new(async |request: Counted| {
            let _request = request;
            std::future::pending::<()>().await;
        });
        let work = desk.call(Counted(dropped.clone()));
        assert_eq!(dropped.load(Ordering::Relaxed), 0);
        drop(work);
        assert_eq!(dropped.load(Ordering::Relaxed), 1);
    }
}

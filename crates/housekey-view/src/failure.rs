//! How a helper deep inside a component says that the page cannot be made.
//!
//! A component writes text and has no way to fail, and a page without its script is worse than an error that says
//! which command was forgotten. Rendering happens on one thread from start to end, so the helper leaves its problem
//! here and the response that rendered the component picks it up.

use std::cell::RefCell;

use housekey_core::Error;

thread_local! {
    /// `None` while nobody listens.
    static FAILURE: RefCell<Option<Result<(), Error>>> = const { RefCell::new(None) };
}

/// Runs `render`; the first problem that a helper reports meanwhile becomes the result.
pub(crate) fn catch<T>(render: impl FnOnce() -> T) -> Result<T, Error> {
    let outer = Listening(FAILURE.replace(Some(Ok(()))));
    let rendered = render();
    let inner = FAILURE.take();
    drop(outer);
    match inner {
        Some(Err(error)) => Err(error),
        _ => Ok(rendered),
    }
}

/// Restores the outer listener, also when a component panics.
struct Listening(Option<Result<(), Error>>);

impl Drop for Listening {
    fn drop(&mut self) {
        FAILURE.set(self.0.take());
    }
}

/// Fails the page being rendered. The first problem counts: those after it often follow from it.
pub(crate) fn report(problem: impl Into<Error>) {
    let error = problem.into();
    FAILURE.with_borrow_mut(|failure| match failure {
        Some(result @ Ok(())) => *result = Err(error),
        Some(Err(_)) => {}
        None => tracing::error!(%error, "a page was sent without its assets; return it as a `View` to fail instead"),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_problem_counts_and_nested_pages_keep_theirs() {
        let outer = catch(|| {
            assert!(catch(|| report(Error::internal("inner"))).is_err());
            assert_eq!(catch(|| 1).unwrap(), 1);
            report(Error::internal("first"));
            report(Error::internal("second"));
        });
        assert_eq!(outer.unwrap_err().to_string(), "first");
        assert!(catch(|| ()).is_ok());
    }

    #[test]
    fn a_panicking_component_leaves_nothing_behind() {
        let panicked = std::panic::catch_unwind(|| {
            catch(|| {
                report(Error::internal("left over"));
                panic!("boom");
            })
        });
        assert!(panicked.is_err());
        assert!(FAILURE.with_borrow(Option::is_none));
    }
}

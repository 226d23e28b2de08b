use std::pin::Pin;

/// A boxed future that may move between threads: what the engine's object-safe traits return.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// Any error of someone else's code: a callback, a driver.
pub type BoxError = Box<dyn std::error::Error + Send + Sync + 'static>;

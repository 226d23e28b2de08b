use housekey_core::{Error, Result, service};

use crate::Cache;

/// The application's cache, from anywhere below a handler, a command or a job.
///
/// ```
/// use housekey_cache::{Cache, cache};
/// use housekey_core::{Scope, Services};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// let mut services = Services::builder();
/// services.insert(Cache::memory());
/// Scope::new(services.build()).enter(async {
///     cache()?.put("greeting", &"hello", None).await
/// }).await?;
///
/// assert!(cache().is_err(), "outside an application there is none");
/// # Ok(()) }
/// ```
pub fn cache() -> Result<Cache> {
    service::<Cache>().map(|cache| (*cache).clone()).ok_or_else(|| {
        Error::internal("cache() was called outside the application: pass a Cache, or carry the scope with housekey::spawn")
    })
}

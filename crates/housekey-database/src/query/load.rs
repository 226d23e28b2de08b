use futures_util::future::BoxFuture;
use housekey_core::Result;

/// Brings related rows into rows that were read.
pub(crate) trait Load<M>: Send + Sync {
    fn load<'a>(&'a self, rows: &'a mut [M]) -> BoxFuture<'a, Result<()>>;

    /// The same for who cannot say that `M` may be sent.
    fn load_all(&self, rows: Vec<M>) -> BoxFuture<'_, Result<Vec<M>>>;
}

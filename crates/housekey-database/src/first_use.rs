use std::fmt;
use std::sync::Arc;

use housekey_core::Result;

/// What must be done before a connection is used for the first time: a test makes its database then, and none that it
/// never uses. It may run more than once when several begin at the same time.
#[derive(Clone)]
pub struct BeforeFirstUse(Arc<dyn Fn() -> Result<()> + Send + Sync>);

impl BeforeFirstUse {
    /// Work that may block. What fails here fails whoever wanted to use the connection.
    pub fn new(work: impl Fn() -> Result<()> + Send + Sync + 'static) -> Self {
        Self(Arc::new(work))
    }

    pub(crate) fn run(&self) -> Result<()> {
        (self.0)()
    }
}

impl fmt::Debug for BeforeFirstUse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BeforeFirstUse")
    }
}

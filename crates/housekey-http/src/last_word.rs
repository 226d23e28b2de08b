use std::pin::Pin;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::Response;

/// Something that is added to an answer when guards and handler are done with it.
///
/// ```
/// use std::pin::Pin;
/// use std::sync::Arc;
///
/// use housekey_http::{LastWord, RequestContext, Response};
/// use http::HeaderValue;
///
/// struct Counted(u32);
///
/// impl LastWord for Counted {
///     fn say<'a>(&'a self, response: &'a mut Response) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>> {
///         Box::pin(async move {
///             response.headers_mut().insert("x-queries", HeaderValue::from(self.0));
///         })
///     }
/// }
///
/// async fn report() -> &'static str {
///     if let Some(context) = RequestContext::current() {
///         context.add_last_word(Arc::new(Counted(3)));
///     }
///     "figures"
/// }
/// # housekey_http::Routes::new().get("/report", report);
/// ```
pub trait LastWord: Send + Sync {
    /// Adds it.
    fn say<'a>(&'a self, response: &'a mut Response) -> Pin<Box<dyn Future<Output = ()> + Send + 'a>>;
}

/// Those of one request. Most have none, and pay nothing.
#[derive(Default)]
pub(crate) struct LastWords(OnceLock<Mutex<Vec<Arc<dyn LastWord>>>>);

impl LastWords {
    pub(crate) fn add(&self, word: Arc<dyn LastWord>) {
        self.0.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner).push(word);
    }

    pub(crate) fn are_there(&self) -> bool {
        self.0.get().is_some()
    }

    pub(crate) async fn say(&self, response: &mut Response) {
        let Some(words) = self.0.get() else { return };
        let words = std::mem::take(&mut *words.lock().unwrap_or_else(PoisonError::into_inner));
        for word in words {
            word.say(response).await;
        }
    }
}

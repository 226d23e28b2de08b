use std::any::Any;
use std::cell::RefCell;
use std::sync::Once;

use housekey_core::Error;

use crate::RequestContext;

thread_local! {
    static PLACE: RefCell<Option<String>> = const { RefCell::new(None) };
}

/// Turns a caught panic into the 500 it is answered with. The text of the panic goes to the log only.
pub(super) fn into_error(panic: &(dyn Any + Send)) -> Error {
    let text = panic.downcast_ref::<&str>().copied().map(str::to_owned);
    let text =
        text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "no message".to_owned());
    let place = PLACE.take().map(|place| format!(" at {place}")).unwrap_or_default();
    Error::internal(format!("panicked{place}: {text}"))
}

/// Remembers where a handler panicked, for the log line of its request. Panics outside of requests are reported as
/// before.
pub(crate) fn install_hook() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            if RequestContext::current().is_none() {
                return before(info);
            }
            PLACE.set(info.location().map(ToString::to_string));
        }));
    });
}

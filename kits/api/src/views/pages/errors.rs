use housekey::prelude::*;

use crate::views::layouts::base::Base;

/// Errors of pages in the look of this app; below `/api` they are JSON. `None` leaves one to the framework.
pub fn page(error: &Error, _: &ErrorContext<'_>) -> Option<Response> {
    if error.status() != StatusCode::NOT_FOUND {
        return None;
    }
    view(rsx! {
        <Base title="Nobody lives at this address.">
            <div class="message">
                <p class="status">(error.status().as_u16())</p>
                <h1>"Nobody lives at this address."</h1>
                <p class="lead">(error.message())</p>
                <p class="ways"><a href="/">"Go to the start page"</a><a href="/api/docs">"Read the documentation"</a></p>
            </div>
        </Base>
    })
    .ok()
}

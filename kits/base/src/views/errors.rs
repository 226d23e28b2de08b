use housekey::prelude::*;

use crate::views::layouts::base::Base;

/// Errors in the look of this app. `None` leaves one to the framework, whose pages need no build to look right: good for
/// everything that goes wrong on our side.
pub fn page(error: &Error, _: &ErrorContext<'_>) -> Option<Response> {
    let (title, house) = match error.status() {
        StatusCode::FORBIDDEN => ("This door is locked.", "house"),
        StatusCode::NOT_FOUND => ("Nobody lives at this address.", "house gone"),
        _ => return None,
    };
    view(rsx! {
        <Base title=title>
            <main id="main" class="message">
                <div>
                    <p class="status">(error.status().as_u16())</p>
                    <h1>(title)</h1>
                    <p>(error.message())</p>
                    <p><a href="/">"Go to the start page"</a></p>
                </div>
                <svg class=(house) viewBox="0 0 240 200" aria-hidden="true">
                    <path class="home" d="M40 200V92h160v108z"></path>
                    <path class="roof" d="M120 10 222 98H18z"></path>
                    <rect class="lit" x="58" y="116" width="28" height="36" rx="3"></rect>
                    <rect class="lit" x="154" y="116" width="28" height="36" rx="3"></rect>
                    <path class="roof door" d="M96 200v-56a24 24 0 0 1 48 0v56z"></path>
                    <path class="key" d="M120 146a11 11 0 0 1 5.8 20.4L129 181h-18l3.2-14.6A11 11 0 0 1 120 146z"></path>
                </svg>
            </main>
        </Base>
    })
    .ok()
}

use housekey::prelude::*;

use crate::views::components::{Brand, ButtonLink, House};
use crate::views::layouts::base::Base;

/// Errors of documents in the look of this app; scripts get JSON. `None` leaves one to the framework, whose pages need no
/// build to look right, and which shows a developer the causes.
pub fn page(error: &Error, context: &ErrorContext<'_>) -> Option<Response> {
    let (title, lights) = match error.status().as_u16() {
        403 => (t("This door is locked."), [true, true, true]),
        404 => (t("Nobody lives at this address."), [false, false, false]),
        419 => (t("This page was open too long."), [true, false, true]),
        429 => (t("One knock at a time."), [true, true, true]),
        500 if !context.is_debug() => (t("The lights went out."), [false, false, false]),
        503 => (t("We will be right back."), [true, false, false]),
        _ => return None,
    };
    let text = match error.status().as_u16() {
        // The framework's own sentence says again what the title says.
        419 => t("Nothing was changed. Reload it and try once more."),
        _ => error.message().to_owned(),
    };
    view(rsx! {
        <Base title=(&title)>
            <div class="flex min-h-svh flex-col overflow-hidden bg-linear-to-b from-canvas from-40% to-sky">
                <header class="mx-auto w-full max-w-6xl px-5 py-5 sm:px-10 sm:py-6"><Brand href="/"/></header>
                <main id="main" tabindex="-1" class="mx-auto flex w-full max-w-6xl grow flex-col justify-between gap-8 px-5 pt-8 sm:px-10 lg:pt-[10vh]">
                    <div>
                        <p class="font-mono text-sm font-semibold text-link">(error.status().as_u16())</p>
                        <h1 class="mt-3 max-w-[17ch] font-display text-4xl leading-[1.05] font-bold tracking-[-0.03em] sm:text-6xl">(&title)</h1>
                        <p class="mt-5 max-w-prose text-lg text-muted">(&text)</p>
                        <div class="mt-8"><ButtonLink href="/" label=(&t("Go to the start page")) ../></div>
                        <p class="mt-10 text-sm text-muted">(t("Request")) " " <code class="font-mono">(context.request_id())</code></p>
                    </div>
                    <div class="w-full max-w-xs self-center sm:max-w-sm lg:self-end"><House lit=(&lights)/></div>
                </main>
            </div>
        </Base>
    })
    .ok()
}

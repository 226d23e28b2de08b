use housekey::prelude::*;

use crate::views::components::{Brand, ButtonLink, Countdown, House, Tone};
use crate::views::layouts::Base;

/// Errors in the look of this app. `None` leaves one to the framework, whose pages need no build to look right, and
/// which shows a developer the causes.
pub fn page(error: &Error, context: &ErrorContext<'_>) -> Option<Response> {
    let status = error.status();
    let (title, text, lights) = match status.as_u16() {
        403 => (t("This door is locked."), error.message().to_owned(), [true, true, true]),
        404 => (t("Nobody lives at this address."), error.message().to_owned(), [false, false, false]),
        419 => (
            t("This page was open too long."),
            t("Its form is no longer valid, and nothing was changed. Go back and send it once more."),
            [true, false, true],
        ),
        429 => (t("One knock at a time."), error.message().to_owned(), [true, true, true]),
        500 if !context.is_debug() => {
            (t("The lights went out."), error.message().to_owned(), [false, false, false])
        }
        503 => (t("We will be right back."), error.message().to_owned(), [true, false, false]),
        _ => return None,
    };
    let number = status.as_u16();
    let back = matches!(number, 419 | 429).then(|| form_page(context));
    let wait = wait(error);
    view(rsx! {
        <Base title=(&title) private=false>
            // resources/js/forms.ts keeps what was typed for the page that the way back leads to.
            <div data-keeps-forms[number == 419] class="flex min-h-svh flex-col overflow-hidden bg-linear-to-b from-canvas from-40% to-sky">
                <header class="mx-auto w-full max-w-6xl px-5 py-5 sm:px-10 sm:py-6"><Brand href="/"/></header>
                <main id="main" tabindex="-1" class="mx-auto flex w-full max-w-6xl grow flex-col justify-between gap-8 px-5 pt-8 sm:px-10 lg:pt-[10vh]">
                    <div>
                        <p class="font-mono text-sm font-semibold text-link">(number)</p>
                        <h1 class="mt-3 max-w-[17ch] font-display text-4xl leading-[1.05] font-bold tracking-[-0.03em] sm:text-6xl">(&title)</h1>
                        <p class="mt-5 max-w-prose text-lg text-muted">
                            (&text)
                            @if number == 419 {
                                <span class="hidden scripted:inline">" " (t("What you typed is still there, except passwords."))</span>
                            }
                        </p>
                        <div class="mt-8 flex max-w-md flex-wrap items-center gap-3">
                            @if let Some(seconds) = wait {
                                <div class="w-full pb-3"><Countdown text=(&t("Not quite yet.")) seconds=seconds/></div>
                            }
                            @if let Some(page) = &back {
                                <ButtonLink href=(page) label=(&t("Back to the form")) ../>
                            }
                            <ButtonLink href="/" label=(&t("Go to the start page")) tone=(if back.is_some() { Tone::Quiet } else { Tone::Primary }) ../>
                        </div>
                        <p class="mt-10 text-sm text-muted">(t("Request")) " " <code class="font-mono">(context.request_id())</code></p>
                    </div>
                    <div class="w-full max-w-xs self-center sm:max-w-sm lg:self-end"><House lit=(&lights)/></div>
                </main>
            </div>
        </Base>
    })
    .ok()
}

/// Seconds until the next try is worth it.
fn wait(error: &Error) -> Option<u64> {
    error.headers().get("retry-after")?.to_str().ok()?.parse().ok()
}

/// The page with the form that was refused: where the browser came from if that was here, else the address itself.
fn form_page(context: &ErrorContext<'_>) -> String {
    let request = context.request();
    let page = || {
        let host = request.header("host")?;
        let (_, rest) = request.header("referer")?.split_once("://")?;
        let path = rest.strip_prefix(host)?;
        // `//host` and `/\host` are other hosts to a browser.
        (path.starts_with('/') && !path[1..].starts_with(['/', '\\'])).then(|| path.to_owned())
    };
    page().unwrap_or_else(|| context.path().to_owned())
}

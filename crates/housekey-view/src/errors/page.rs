use housekey_core::Error;
use http::StatusCode;
use http::header::RETRY_AFTER;
use hypertext::{Raw, Renderable, prelude::*, rsx_borrow};

use crate::elements as hypertext_elements;

/// What an error page says.
pub(super) struct ErrorPage<'a> {
    pub(super) status: StatusCode,
    pub(super) title: &'static str,
    pub(super) text: &'a str,
    pub(super) wait: Option<u64>,
    /// Where the form is that was refused.
    pub(super) form_page: Option<String>,
    pub(super) language: &'a str,
    pub(super) app: &'a str,
    pub(super) icon: Option<&'a str>,
    pub(super) request_id: &'a str,
    pub(super) nonce: &'a str,
    /// For the developer, in development only.
    pub(super) note: Option<String>,
}

/// The heading of a status. Plain enough to be understood, and not the words of a protocol.
pub(super) fn title(status: StatusCode) -> &'static str {
    match status.as_u16() {
        400 => "We could not read that.",
        401 => "Please sign in first.",
        403 => "This door is locked.",
        404 => "Nobody lives at this address.",
        405 => "This address does not do that.",
        413 => "That is too large.",
        419 => "This page was open too long.",
        422 => "Something is missing.",
        423 => "Please confirm it is you.",
        429 => "One knock at a time.",
        503 => "We will be right back.",
        500..=599 => "The lights went out.",
        _ => "This did not work.",
    }
}

/// Seconds until the next try is worth it.
pub(super) fn wait(error: &Error) -> Option<u64> {
    error.headers().get(RETRY_AFTER)?.to_str().ok()?.parse().ok()
}

impl Renderable for ErrorPage<'_> {
    fn render_to(&self, buffer: &mut hypertext::Buffer) {
        let status = self.status.as_u16();
        // XSS SAFETY: a style sheet of ours and a number.
        let style = Raw::dangerously_create(self.style());
        let tab = format!("{} · {}", self.title, self.app);
        rsx_borrow! {
            <!DOCTYPE html>
            <html lang=(self.language)>
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <meta name="robots" content="noindex">
                    <title>(tab)</title>
                    @if let Some(icon) = self.icon { <link rel="icon" href=(icon)> }
                    <style nonce=(self.nonce)>(style)</style>
                </head>
                <body>
                    <main>
                        <p class="status">(status)</p>
                        <h1>(self.title)</h1>
                        <p class="text">(self.text)</p>
                        @if let Some(seconds) = self.wait { <p class="wait">(Wait { seconds })</p> }
                        <p class="ways">
                            @if let Some(page) = &self.form_page {
                                <a href=(page)>"Back to the form"</a>
                            } @else if self.wait.is_some() || status >= 500 {
                                <a href="">"Try again"</a>
                            }
                            <a href="/">"Go to the start page"</a>
                        </p>
                        @if let Some(note) = &self.note { <p class="note">(note)</p> }
                    </main>
                    <div class="place">(House { state: house(self.status) })</div>
                    <footer>"Request " <code>(self.request_id)</code></footer>
                </body>
            </html>
        }
        .render_to(buffer);
    }
}

impl ErrorPage<'_> {
    fn style(&self) -> String {
        let style = include_str!("page.css");
        match self.wait.filter(|seconds| *seconds <= COUNTED) {
            Some(seconds) => {
                format!(
                    "{style}.count{{animation-duration:{seconds}s;animation-timing-function:steps({seconds})}}@keyframes wait{{from{{--left:{seconds}}}to{{--left:0}}}}"
                )
            }
            None => style.to_owned(),
        }
    }
}

/// Up to this many seconds the wait is counted down; longer ones are a matter of minutes.
const COUNTED: u64 = 120;

/// "Try again in 45 seconds", counting down by the style sheet alone. Assistive technology reads the plain sentence.
struct Wait {
    seconds: u64,
}

impl Renderable for Wait {
    fn render_to(&self, buffer: &mut hypertext::Buffer) {
        let seconds = self.seconds;
        if seconds > COUNTED {
            let minutes = seconds.div_ceil(60);
            return rsx! { "Try again in " (minutes) " minutes." }.render_to(buffer);
        }
        let unit = if seconds == 1 { "second" } else { "seconds" };
        rsx! {
            <span aria-hidden="true">"Try again in " <span class="count"></span> " " (unit) "."</span>
            <span class="unseen">"Try again in " (seconds) " " (unit) "."</span>
        }
        .render_to(buffer);
    }
}

/// Lit: somebody is home, the request was the problem. Dark: we are. Gone: there is nothing here.
fn house(status: StatusCode) -> &'static str {
    match status {
        StatusCode::NOT_FOUND => "gone",
        status if status.is_server_error() => "dark",
        _ => "lit",
    }
}

struct House {
    state: &'static str,
}

impl Renderable for House {
    fn render_to(&self, buffer: &mut hypertext::Buffer) {
        rsx_borrow! {
            <svg class=(self.state) viewBox="0 0 240 200" aria-hidden="true">
                <path class="wall" d="M40 198V92h160v106z"></path>
                <path class="roof" d="M120 10 222 98H18z"></path>
                <rect class="pane" x="58" y="116" width="28" height="36" rx="3"></rect>
                <rect class="pane" x="154" y="116" width="28" height="36" rx="3"></rect>
                <path class="door" d="M96 198v-54a24 24 0 0 1 48 0v54z"></path>
                <path class="key" d="M120 146a11 11 0 0 1 5.8 20.4L129 181h-18l3.2-14.6A11 11 0 0 1 120 146z"></path>
            </svg>
        }
        .render_to(buffer);
    }
}

use hypertext::{Raw, Renderable, prelude::*, rsx_borrow};

/// What a developer sees in the place of a 500: what happened, where, what to do.
///
/// It shows neither headers nor bodies: cookies, tokens and passwords travel in them, and screens get shared.
pub(super) struct DevelopmentPage<'a> {
    pub(super) status: u16,
    pub(super) headline: String,
    pub(super) causes: Vec<Cause>,
    pub(super) hint: String,
    pub(super) request: Vec<(&'static str, String)>,
    pub(super) icon: Option<&'a str>,
    pub(super) nonce: &'a str,
    /// Asks again by itself: what is missing is about to come.
    pub(super) reload: bool,
}

/// One link of the chain that led to the error.
pub(super) struct Cause {
    pub(super) text: String,
    pub(super) place: Option<String>,
}

impl Renderable for DevelopmentPage<'_> {
    fn render_to(&self, buffer: &mut hypertext::Buffer) {
        // XSS SAFETY: a style sheet of ours.
        let style = Raw::dangerously_create(include_str!("development.css"));
        rsx_borrow! {
            <!DOCTYPE html>
            <html lang="en">
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <meta name="robots" content="noindex">
                    @if self.reload { <meta http-equiv="refresh" content="2"> }
                    <title>(self.status) " · " (self.headline)</title>
                    @if let Some(icon) = self.icon { <link rel="icon" href=(icon)> }
                    <style nonce=(self.nonce)>(style)</style>
                </head>
                <body>
                    <main>
                        <p class="line mono"><b>(self.status)</b> @for (_, value) in self.request.iter().take(1) { <span>(value)</span> }</p>
                        <h1>(self.headline)</h1>
                        <p class="hint"><b>"What to do: "</b> (Ticked(&self.hint))</p>
                        @if !self.causes.is_empty() {
                            <h2>"How it came to this"</h2>
                            <ol>
                                @for cause in &self.causes {
                                    <li>
                                        <code>(cause.text)</code>
                                        @if let Some(place) = &cause.place { <span class="at">"at " <code>(place)</code></span> }
                                    </li>
                                }
                            </ol>
                        }
                        <h2>"The request"</h2>
                        <dl>
                            @for (name, value) in &self.request {
                                <dt>(name)</dt><dd><code>(value)</code></dd>
                            }
                        </dl>
                        <p class="foot">"You see this because " <code>"debug"</code> " is on in " <code>"config/app.rs"</code> ". Visitors get a plain page, and the log gets all of this."</p>
                    </main>
                </body>
            </html>
        }
        .render_to(buffer);
    }
}

/// Text in which `` `this` `` is code.
struct Ticked<'a>(&'a str);

impl Renderable for Ticked<'_> {
    fn render_to(&self, buffer: &mut hypertext::Buffer) {
        for (at, part) in self.0.split('`').enumerate() {
            if at % 2 == 1 {
                rsx! { <code>(part)</code> }.render_to(buffer);
            } else {
                part.render_to(buffer);
            }
        }
    }
}

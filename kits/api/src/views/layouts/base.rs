use housekey::prelude::*;
use housekey::view::hypertext::Raw;

/// The document around the page: `<Base title="Hello"> … </Base>`.
///
/// There is no bundler here: the style sheet stands in the page, with the nonce that the content security policy asks for.
#[component]
pub fn base<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
    let app = service::<AppConfig>().unwrap_or_default();
    // XSS SAFETY: a file of ours.
    let style = Raw::dangerously_create(include_str!("base.css"));

    rsx! {
        <!DOCTYPE html>
        <html lang=(app.locale)>
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>(title)</title>
                <link rel="icon" href="/favicon.svg">
                <style nonce=(csp_nonce().unwrap_or_default())>(style)</style>
            </head>
            <body>
                <a class="skip" href="#main">"Skip to the content"</a>
                <header class="top">
                    <a class="brand" href="/">
                        <img src="/favicon.svg" alt="" width="28" height="28">
                        (app.name)
                    </a>
                </header>
                <main id="main">(children)</main>
            </body>
        </html>
    }
}

use housekey::prelude::*;

use crate::views::components::ThemeScript;

/// The document around every page: `<Base title="Hello" private=false> … </Base>`.
///
/// A private page is about somebody. It is asked for again when the back button brings it out of the browser's memory,
/// so that it is not seen after signing out.
#[component]
pub fn base<'a, R: Renderable>(title: &'a str, private: bool, children: &R) -> impl Renderable {
    let app = service::<AppConfig>().unwrap_or_default();
    rsx! {
        <!DOCTYPE html>
        <html lang=(locale()) data-private[private]>
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>(title) " · " (app.name)</title>
                <link rel="icon" href="/favicon.svg">
                <ThemeScript/>
                (assets(["resources/css/app.css", "resources/js/app.ts"]))
            </head>
            <body class="font-sans leading-relaxed antialiased">
                <a
                    href="#main"
                    class="absolute top-0 left-0 z-50 -translate-y-full rounded-br-card bg-accent px-5 py-3 font-semibold text-on-accent focus:translate-y-0"
                >
                    (t("Skip to the content"))
                </a>
                (children)
            </body>
        </html>
    }
}

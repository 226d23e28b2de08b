use housekey::prelude::*;

/// The document around every page that the server draws: `<Base title="Hello"> … </Base>`. The theme is decided by a script
/// that frontend/vite.config.ts puts in front of the styles, here and in the documents of the app alike.
#[component]
pub fn base<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
    let app = service::<AppConfig>().unwrap_or_default();
    rsx! {
        <!DOCTYPE html>
        <html lang=(locale())>
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>(title) " · " (app.name)</title>
                <link rel="icon" href="/favicon.svg">
                (assets(["src/server.ts"]))
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

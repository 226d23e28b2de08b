use housekey::prelude::*;

/// The document around every page: `<Base title="Hello"> … </Base>`.
#[component]
pub fn base<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
    let app = service::<AppConfig>().unwrap_or_default();

    rsx! {
        <!DOCTYPE html>
        <html lang=(app.locale)>
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>(title)</title>
                <link rel="icon" href="/favicon.svg">
                (assets(["resources/css/app.css", "resources/js/app.ts"]))
            </head>
            <body>
                <a class="skip" href="#main">"Skip to the content"</a>
                <header class="top">
                    <a class="brand" href="/">
                        <img src="/favicon.svg" alt="" width="30" height="30">
                        (app.name)
                    </a>
                    <span class="badge">%(app.env)</span>
                </header>
                (children)
            </body>
        </html>
    }
}

use housekey::prelude::*;

/// The list page.
pub fn list() -> impl Renderable {
    rsx! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>"List"</title>
            </head>
            <body>
                <h1>"List"</h1>
            </body>
        </html>
    }
}

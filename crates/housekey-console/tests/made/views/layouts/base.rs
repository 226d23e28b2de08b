use housekey::prelude::*;

/// Stands for the layout that a kit brings.
#[component]
pub fn base<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
    rsx! {
        <!DOCTYPE html>
        <html lang="en">
            <head><title>(title)</title></head>
            <body>(children)</body>
        </html>
    }
}

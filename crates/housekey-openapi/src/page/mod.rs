//! The page that shows the document to people. It is made here, so it needs no script, and its one style sheet carries the nonce that
//! the content security policy asks for.

mod fields;
mod inline_markdown;
mod reader;
mod sections;

use housekey_view::prelude::*;
use hypertext::{Buffer, Raw};
use serde_json::Value;

use self::fields::Fields;
use self::inline_markdown::InlineMarkdown;
use self::reader::Reader;
use self::sections::Section;

pub(crate) struct DocsPage<'a> {
    pub(crate) document: &'a Value,
    /// Where the document is.
    pub(crate) source: &'a str,
    pub(crate) nonce: &'a str,
}

impl Renderable for DocsPage<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        // XSS SAFETY: a style sheet of ours.
        let style = Raw::dangerously_create(include_str!("page.css"));
        let reader = Reader::new(self.document);
        let (title, version, about) = reader.info();
        let headings = reader.headings();
        let types = reader.types();
        let ways = reader.security_schemes();
        rsx_borrow! {
            <!DOCTYPE html>
            <html lang="en">
                <head>
                    <meta charset="utf-8">
                    <meta name="viewport" content="width=device-width, initial-scale=1">
                    <meta name="robots" content="noindex">
                    <title>(title) " API"</title>
                    <link rel="icon" href="/favicon.svg">
                    <style nonce=(self.nonce)>(style)</style>
                </head>
                <body>
                    <a class="skip" href="#main">"Skip to the content"</a>
                    <header class="top">
                        <a class="brand" href="/">
                            <img src="/favicon.svg" alt="" width="28" height="28">
                            (title)
                        </a>
                        <a href=(self.source)>"OpenAPI 3.1"</a>
                    </header>
                    <div class="desk">
                        <nav aria-label="Contents">
                            <ul>
                                @for heading in &headings {
                                    <li><a href=(format!("#{}", heading.anchor()))>(heading.title())</a></li>
                                }
                                <li><a href="#types">"Types"</a></li>
                            </ul>
                        </nav>
                        <main id="main">
                            <section class="intro">
                                <h1>(title) " API"</h1>
                                <p class="version">"Version " (version)</p>
                                @if !about.is_empty() { <p class="lead">(InlineMarkdown(about))</p> }
                                @if !ways.is_empty() {
                                    <h2>"Who is asking"</h2>
                                    <dl class="ways">
                                        @for way in &ways {
                                            <div><dt><code>(way.shown)</code></dt><dd>(InlineMarkdown(way.about))</dd></div>
                                        }
                                    </dl>
                                }
                            </section>
                            @for heading in &headings { (Section { heading }) }
                            <section id="types" aria-labelledby="types-title">
                                <h2 id="types-title">"Types"</h2>
                                @for named in &types {
                                    <div class="type" id=(format!("type-{}", named.name))>
                                        <h3><code>(named.name)</code></h3>
                                        @if !named.about.is_empty() { <p>(InlineMarkdown(named.about))</p> }
                                        (Fields { fields: &named.fields, otherwise: &named.kind })
                                    </div>
                                }
                            </section>
                        </main>
                    </div>
                </body>
            </html>
        }
        .render_to(buffer);
    }
}

use housekey_view::prelude::*;
use hypertext::Buffer;

use super::fields::Fields;
use super::inline_markdown::InlineMarkdown;
use super::reader::{Answer, Content, Heading, Operation};

/// A heading and its operations.
pub(super) struct Section<'a> {
    pub(super) heading: &'a Heading<'a>,
}

impl Renderable for Section<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let anchor = self.heading.anchor();
        let title = format!("{anchor}-title");
        rsx_borrow! {
            <section id=(&anchor) aria-labelledby=(&title)>
                <h2 id=(&title)>(self.heading.title())</h2>
                @for operation in &self.heading.operations { (Details(operation)) }
            </section>
        }
        .render_to(buffer);
    }
}

/// One operation, folded until somebody wants to know.
struct Details<'a>(&'a Operation<'a>);

impl Renderable for Details<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let operation = self.0;
        let method = format!("method {}", operation.method.to_lowercase());
        rsx_borrow! {
            <details class="operation" id=(operation.id)>
                <summary>
                    <span class=(method)>(&operation.method)</span>
                    <code>(operation.path)</code>
                    @if !operation.ways.is_empty() { <span class="locked">"signed in"</span> }
                    @if !operation.summary.is_empty() { <span class="summary">(InlineMarkdown(operation.summary))</span> }
                </summary>
                <div class="details">
                    @if !operation.about.is_empty() { <p>(InlineMarkdown(operation.about))</p> }
                    @if !operation.ways.is_empty() {
                        <h3>"Who is asking"</h3>
                        <ul class="who">
                            @for way in &operation.ways { <li><code>(way)</code></li> }
                        </ul>
                    }
                    @if !operation.parameters.is_empty() {
                        <h3>"In the address"</h3>
                        (Fields { fields: &operation.parameters, otherwise: &[] })
                    }
                    @if let Some(body) = &operation.body {
                        <h3>"The body"</h3>
                        <p class="media">(body.media.join(" or "))</p>
                        (Body(body))
                    }
                    <h3>"What comes back"</h3>
                    @for answer in &operation.answers { (Returned(answer)) }
                </div>
            </details>
        }
        .render_to(buffer);
    }
}

struct Body<'a>(&'a Content<'a>);

impl Renderable for Body<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            (Fields { fields: &self.0.fields, otherwise: &self.0.kind })
            @if let Some(example) = &self.0.example { <pre tabindex="0">(example)</pre> }
        }
        .render_to(buffer);
    }
}

struct Returned<'a>(&'a Answer<'a>);

impl Renderable for Returned<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            <div class="answer">
                <p><strong>(self.0.status)</strong> " " (InlineMarkdown(self.0.about))</p>
                @if let Some(content) = &self.0.content { (Body(content)) }
            </div>
        }
        .render_to(buffer);
    }
}

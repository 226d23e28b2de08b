use housekey_view::prelude::*;
use hypertext::Buffer;

use super::inline_markdown::InlineMarkdown;
use super::reader::{Field, Word};

/// Names, what stands there, and what it is for.
pub(super) struct Fields<'a> {
    pub(super) fields: &'a [Field<'a>],
    /// What it is, where it has no fields.
    pub(super) otherwise: &'a [Word<'a>],
}

impl Renderable for Fields<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            @if self.fields.is_empty() {
                <p class="kind">(Kind(self.otherwise))</p>
            } @else {
                <dl class="fields">
                    @for field in self.fields {
                        <div>
                            <dt>
                                <code>(field.name)</code>
                                @if !field.place.is_empty() { <span class="place">"in the " (field.place)</span> }
                                @if !field.is_required { <span class="place">"optional"</span> }
                            </dt>
                            <dd>
                                <span class="kind">(Kind(&field.kind))</span>
                                @if !field.about.is_empty() { <span class="about">(InlineMarkdown(field.about))</span> }
                            </dd>
                        </div>
                    }
                </dl>
            }
        }
        .render_to(buffer);
    }
}

/// What a value is called.
struct Kind<'a>(&'a [Word<'a>]);

impl Renderable for Kind<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            @for word in self.0 {
                @match word {
                    Word::Plain(text) => { (text) }
                    Word::Type(name) => { <a href=(format!("#type-{name}"))>(name)</a> }
                }
            }
        }
        .render_to(buffer);
    }
}

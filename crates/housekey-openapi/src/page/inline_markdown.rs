use housekey_view::prelude::*;
use hypertext::Buffer;

/// Sentences, in which what stands between backticks is code.
pub(super) struct InlineMarkdown<'a>(pub(super) &'a str);

impl Renderable for InlineMarkdown<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        // A backtick without a second one is only a backtick.
        if self.0.matches('`').count() % 2 == 1 {
            return self.0.render_to(buffer);
        }
        rsx_borrow! {
            @for (at, part) in self.0.split('`').enumerate() {
                @if at % 2 == 1 { <code>(part)</code> } @else { (part) }
            }
        }
        .render_to(buffer);
    }
}

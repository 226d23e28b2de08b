use housekey::prelude::*;
use housekey::view::Buffer;

use super::field::{FieldState, Label};

/// A field for several lines: `<TextArea name="emails" label=(&t("Addresses")) rows=3 ../>`.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextArea<'a> {
    /// The name of the field, and its id.
    pub name: &'a str,
    pub label: &'a str,
    pub hint: &'a str,
    pub rows: u8,
    pub maxlength: Option<u16>,
    pub required: bool,
    pub autofocus: bool,
}

impl Renderable for TextArea<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let state = FieldState::of(self.name, !self.hint.is_empty());
        let messages = errors().of(self.name);
        rsx_borrow! {
            <div class="grid gap-1.5">
                <Label id=(self.name) text=(self.label)/>
                <textarea
                    id=(self.name)
                    name=(self.name)
                    rows=(self.rows)
                    maxlength=[self.maxlength]
                    required[self.required]
                    autofocus[state.takes_focus(self.autofocus)]
                    autocapitalize="none"
                    spellcheck="false"
                    aria-invalid=[state.error.is_some().then_some("true")]
                    aria-describedby=[state.described_by.as_deref()]
                    class="block w-full min-w-0 rounded-control border border-edge bg-surface px-3.5 py-2 text-base text-ink transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger"
                >
                    (old(self.name))
                </textarea>
                (state.hint(self.name, self.hint))
                // One for each line that was refused.
                @if !messages.is_empty() {
                    <ul id={ (self.name) "-error" } class="grid gap-1 text-sm font-medium text-danger">
                        @for message in &messages { <li>(message)</li> }
                    </ul>
                }
            </div>
        }
        .render_to(buffer);
    }
}

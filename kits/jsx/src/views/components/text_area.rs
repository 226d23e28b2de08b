use housekey::prelude::*;
use housekey::view::Buffer;

use super::field::{FieldState, Label};

/// A field for several lines: `<TextArea name="about" label=(&t("About you")) value=(&about) rows=6 ../>`.
#[derive(Clone, Copy, Debug, Default)]
pub struct TextArea<'a> {
    /// The name of the field, and its id.
    pub name: &'a str,
    pub label: &'a str,
    /// What stands in it. What was typed into a refused form comes first.
    pub value: &'a str,
    pub hint: &'a str,
    /// How many lines are seen: four, unless said otherwise.
    pub rows: u8,
    pub maxlength: Option<u16>,
    pub required: bool,
    /// For addresses, codes and the like, which a phone must not correct.
    pub verbatim: bool,
    /// Whether the page begins here, unless something was refused.
    pub autofocus: bool,
}

impl Renderable for TextArea<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let state = FieldState::of(self.name, !self.hint.is_empty());
        let messages = errors().of(self.name);
        let rows = if self.rows == 0 { 4 } else { self.rows };
        rsx_borrow! {
            <div class="grid gap-1.5">
                <Label id=(self.name) text=(self.label)/>
                <textarea
                    id=(self.name)
                    name=(self.name)
                    rows=(rows)
                    maxlength=[self.maxlength]
                    required[self.required]
                    autofocus[state.takes_focus(self.autofocus)]
                    autocapitalize=[self.verbatim.then_some("none")]
                    spellcheck=[self.verbatim.then_some("false")]
                    aria-invalid=[state.error.is_some().then_some("true")]
                    aria-describedby=[state.described_by.as_deref()]
                    class="block w-full min-w-0 rounded-control border border-edge bg-surface px-3.5 py-2 text-base text-ink transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 aria-invalid:border-danger"
                >
                    // A browser drops the first line break: this one, and none of what was typed.
                    "\n"
                    (old_or(self.name, self.value))
                </textarea>
                (state.hint(self.name, self.hint))
                // Several where each line is looked at.
                @if messages.len() > 1 {
                    <ul id={ (self.name) "-error" } class="grid gap-1 text-sm font-medium text-danger">
                        @for message in &messages { <li>(message)</li> }
                    </ul>
                } @else {
                    (state.message(self.name))
                }
            </div>
        }
        .render_to(buffer);
    }
}

use housekey::prelude::*;
use housekey::view::Buffer;

use super::button::ButtonLink;
use super::icon::Icon;

/// What stands where a list has nothing to show, and how it gets its first thing:
/// `<EmptyState title=(&t("No books yet")) href=(&path_to("books.create")) label=(&t("Add the first")) ../>`.
#[derive(Clone, Copy, Debug, Default)]
pub struct EmptyState<'a> {
    pub title: &'a str,
    pub text: &'a str,
    pub icon: Option<Icon>,
    /// Where the button leads. Without a label there is none.
    pub href: &'a str,
    pub label: &'a str,
}

impl Renderable for EmptyState<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        rsx_borrow! {
            <div class="grid justify-items-center gap-2 rounded-card border border-dashed border-edge px-6 py-12 text-center">
                @if let Some(icon) = self.icon {
                    <span class="mb-2 grid size-12 place-items-center rounded-full bg-accent-soft text-2xl text-link">(icon)</span>
                }
                <h2 class="font-display text-xl font-semibold tracking-tight">(self.title)</h2>
                @if !self.text.is_empty() { <p class="max-w-prose text-[0.9375rem] text-muted">(self.text)</p> }
                @if !self.label.is_empty() {
                    <div class="mt-4"><ButtonLink href=(self.href) label=(self.label) ../></div>
                }
            </div>
        }
        .render_to(buffer);
    }
}

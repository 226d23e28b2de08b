use housekey::prelude::*;
use housekey::view::Buffer;

use super::field::Label;

/// A role that can be chosen.
#[derive(Clone, Debug, Default)]
pub struct RoleOption {
    /// What is sent.
    pub id: &'static str,
    pub name: String,
    /// What it may do.
    pub text: String,
}

/// Which role somebody gets.
#[derive(Clone, Copy, Debug, Default)]
pub struct RoleChoice<'a> {
    /// Unique on the page.
    pub id: &'a str,
    /// Above the field; where it is empty, `aria_label` says it to who hears the page.
    pub label: &'a str,
    pub aria_label: Option<&'a str>,
    pub roles: &'a [RoleOption],
    pub chosen: &'a str,
    /// In a row of a list.
    pub small: bool,
    pub described_by: Option<&'a str>,
}

impl Renderable for RoleChoice<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let size = if self.small { "min-h-9 pl-3 text-sm" } else { "min-h-11 pl-3.5 text-base" };
        rsx_borrow! {
            <div class="grid gap-1.5">
                @if !self.label.is_empty() { <Label id=(self.id) text=(self.label)/> }
                <select
                    id=(self.id)
                    name="role"
                    aria-label=[self.aria_label]
                    aria-describedby=[self.described_by]
                    class={
                        "block w-full min-w-0 rounded-control border border-edge bg-surface py-1 pr-2 text-ink \
                         transition-colors hover:border-muted focus-visible:border-focus focus-visible:outline-offset-0 "
                        (size)
                    }
                >
                    @for role in self.roles {
                        <option value=(role.id) selected[role.id == self.chosen]>(&role.name)</option>
                    }
                </select>
            </div>
        }
        .render_to(buffer);
    }
}

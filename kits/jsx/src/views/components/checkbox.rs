use housekey::prelude::*;
use housekey::view::{AttributeValue, Buffer, attribute};

/// A box to tick. It is sent as `1` when it is, and not at all when it is not.
#[derive(Clone, Copy, Debug, Default)]
pub struct Checkbox<'a> {
    /// The name of the field, and its id.
    pub name: &'a str,
    pub label: &'a str,
    pub hint: &'a str,
    /// Whether it is ticked when the form is shown for the first time.
    pub checked: bool,
    pub required: bool,
}

impl Renderable for Checkbox<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let checked = old_choice(self.name, self.checked);
        let hint_id = (!self.hint.is_empty()).then(|| format!("{}-hint", self.name));
        rsx_borrow! {
            <div class="flex gap-3">
                <input
                    id=(self.name)
                    name=(self.name)
                    type="checkbox"
                    value="1"
                    checked[checked]
                    required[self.required]
                    aria-describedby=[&hint_id]
                    class=(box_classes())
                >
                <div class="grid min-w-0 gap-0.5 text-[0.9375rem] [overflow-wrap:anywhere]">
                    <label for=(self.name) class="cursor-pointer font-medium">(self.label)</label>
                    @if let Some(id) = &hint_id { <p id=(id) class="text-sm text-muted">(self.hint)</p> }
                </div>
            </div>
        }
        .render_to(buffer);
    }
}

/// How a box looks, with the mark in it when it is ticked.
pub(super) fn box_classes() -> impl Renderable<AttributeValue> {
    attribute! {
        "mt-0.5 grid size-5 flex-none cursor-pointer appearance-none place-items-center rounded-md \
         border border-edge bg-surface transition-colors before:size-3 before:bg-on-accent \
         before:opacity-0 before:[clip-path:polygon(14%_44%,0_58%,42%_100%,100%_22%,84%_10%,40%_70%)] \
         checked:border-accent checked:bg-accent checked:before:opacity-100 \
         aria-invalid:border-danger"
    }
}

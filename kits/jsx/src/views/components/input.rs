use housekey::prelude::*;
use housekey::view::Buffer;

/// One line to type in, and nothing around it. Pages use `Field`, which brings the label.
#[derive(Clone, Copy, Debug, Default)]
pub struct Input<'a> {
    pub id: &'a str,
    pub name: &'a str,
    /// The `type`: `text` if it is empty.
    pub kind: &'a str,
    pub value: &'a str,
    pub autocomplete: &'a str,
    pub inputmode: Option<&'a str>,
    pub minlength: Option<u16>,
    pub maxlength: Option<u16>,
    pub required: bool,
    pub readonly: bool,
    pub autofocus: bool,
    /// Which files the browser offers, and whether several can be chosen.
    pub accept: Option<&'a str>,
    pub multiple: bool,
    pub invalid: bool,
    /// The ids of what explains it.
    pub described_by: Option<&'a str>,
    /// A name for who hears the page, where there is no label to see.
    pub aria_label: Option<&'a str>,
    /// More utilities, such as room for a button inside.
    pub class: &'a str,
}

impl Renderable for Input<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let kind = if self.kind.is_empty() { "text" } else { self.kind };
        rsx_borrow! {
            <input
                id=(self.id)
                name=(self.name)
                type=(kind)
                value=[text(self.value)]
                autocomplete=[text(self.autocomplete)]
                inputmode=[self.inputmode]
                minlength=[self.minlength]
                maxlength=[self.maxlength]
                required[self.required]
                readonly[self.readonly]
                autofocus[self.autofocus]
                accept=[self.accept]
                multiple[self.multiple]
                aria-invalid=[self.invalid.then_some("true")]
                aria-describedby=[self.described_by]
                aria-label=[self.aria_label]
                class={
                    "block min-h-11 w-full min-w-0 rounded-control border border-edge bg-surface px-3.5 py-2 \
                     text-base text-ink transition-colors hover:border-muted focus-visible:border-focus \
                     focus-visible:outline-offset-0 aria-invalid:border-danger \
                     [&[readonly]]:border-line [&[readonly]]:bg-sunken [&[readonly]]:text-muted \
                     file:mr-3 file:rounded-md file:border-0 file:bg-sunken file:px-3 file:py-1 file:text-sm \
                     file:font-semibold file:text-ink hover:file:bg-line "
                    (self.class)
                }
            >
        }
        .render_to(buffer);
    }
}

fn text(value: &str) -> Option<&str> {
    (!value.is_empty()).then_some(value)
}

use housekey::prelude::*;
use housekey::view::Buffer;

use super::field::{FieldState, Label};
use super::input::Input;

/// A file to choose, in a `FileForm`: `<FileField name="cover" label=(&t("Cover")) accept="image/*" ../>`. After a refused
/// form it has to be chosen again: no page can put a file into a form.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileField<'a> {
    /// The name of the field, and its id.
    pub name: &'a str,
    pub label: &'a str,
    pub hint: &'a str,
    /// What the browser offers: `image/*`, `.pdf,.epub`. Rules of the request say what is taken.
    pub accept: &'a str,
    /// Whether several can be chosen.
    pub multiple: bool,
    pub required: bool,
}

impl Renderable for FileField<'_> {
    fn render_to(&self, buffer: &mut Buffer) {
        let state = FieldState::of_several(self.name, !self.hint.is_empty());
        rsx_borrow! {
            <div class="grid gap-1.5">
                <Label id=(self.name) text=(self.label)/>
                <Input
                    id=(self.name)
                    name=(self.name)
                    kind="file"
                    accept=((!self.accept.is_empty()).then_some(self.accept))
                    multiple=(self.multiple)
                    required=(self.required)
                    autofocus=(state.takes_focus(false))
                    invalid=(state.error.is_some())
                    described_by=(state.described_by.as_deref())
                    class="cursor-pointer text-sm text-muted"
                    ..
                />
                (state.hint(self.name, self.hint))
                (state.message(self.name))
            </div>
        }
        .render_to(buffer);
    }
}
